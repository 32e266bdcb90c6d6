// What the walk-ins bar loads (embed=live): it says its height to the page around it, and asks again what the door says.
import { frame } from "./modules/frame";
import { live } from "./modules/live";

for (const enhance of [frame, live]) enhance();
