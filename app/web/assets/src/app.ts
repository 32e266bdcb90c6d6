// What every hosted page loads. Each module enhances what the server already printed; without it the page still works.
import { agree } from "./modules/agree";
import { back } from "./modules/back";
import { copy } from "./modules/copy";
import { countdown } from "./modules/countdown";
import { follow } from "./modules/follow";
import { frame } from "./modules/frame";
import { guard } from "./modules/guard";
import { resend } from "./modules/resend";
import { show } from "./modules/show";
import { stepper } from "./modules/stepper";
import { ticket } from "./modules/ticket";

for (const enhance of [ticket, frame, show, guard, countdown, resend, back, copy, follow, stepper, agree]) enhance();
