// Sends requests that are refused early with the two clients of Node, fast and slowly, and prints what each was told. See linger_foreign_test.go.
import http from "node:http";
import { setTimeout as rest } from "node:timers/promises";

const piece = 64 << 10;

// slow is a body in pieces, with a pause after each megabyte.
async function* slow(size) {
  for (let sent = 0; sent < size; sent += piece) {
    yield Buffer.alloc(Math.min(piece, size - sent));
    if (sent % (1 << 20) === 0) await rest(50);
  }
}

function headers(request) {
  return { "Content-Type": request.Type, ...(request.Token ? { Authorization: `Bearer ${request.Token}` } : {}) };
}

function byHTTP(request, body) {
  return new Promise((done) => {
    const sends = http.request(request.URL, { method: request.Method, agent: false, headers: { ...headers(request), "Content-Length": request.Size } }, (answer) => {
      answer.on("data", () => {});
      answer.on("end", () => done(answer.statusCode));
      answer.on("error", (error) => done(String(error)));
    });
    sends.on("error", (error) => done(String(error)));
    body(sends).catch((error) => done(String(error)));
  });
}

async function atOnce(sends, size) {
  sends.end(Buffer.alloc(size));
}

async function inPieces(sends, size) {
  let over = false;
  sends.setMaxListeners(0); // each piece waits for one event of several
  const ended = new Promise((end) => sends.once("response", end).once("close", end)).then(() => (over = true));
  for await (const part of slow(size)) {
    if (over) break; // nobody writes on to a connection that was answered and closed
    if (!sends.write(part)) await Promise.race([new Promise((more) => sends.once("drain", more)), ended]);
  }
  sends.end();
}

async function byFetch(request, more) {
  try {
    const answer = await fetch(request.URL, { method: request.Method, headers: headers(request), ...more });
    await answer.text();
    return answer.status;
  } catch (error) {
    return `${error}: ${error.cause}`;
  }
}

let text = "";
for await (const part of process.stdin) text += part;
const told = {};
await Promise.all(
  JSON.parse(text).map(async (request) => {
    const ways = (told[request.Name] = {
      "http at once": await byHTTP(request, (sends) => atOnce(sends, request.Size)),
      "http slowly": await byHTTP(request, (sends) => inPieces(sends, request.Size)),
    });
    if (request.Method === "GET") return; // fetch sends no body with it
    ways["fetch at once"] = await byFetch(request, { body: Buffer.alloc(request.Size) });
    ways["fetch slowly"] = await byFetch(request, { body: slow(request.Size), duplex: "half" });
  }),
);
console.log(JSON.stringify(told));
