import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { verifiedFetch } from "../../web/core/verified-fetch.js";

const content = Buffer.from("the standard library ".repeat(1000));
const damaged = Buffer.from(content).fill("X", 500, 501);
const wanted = { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };

/** What the next requests are answered with; the last answer stays. @type {Buffer[]} */
let answers = [];
let requests = 0;
const server = createServer((_request, response) => {
  requests += 1;
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  response.writeHead(answer ? 200 : 404).end(answer);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
after(() => server.close());
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());

/** @param {Buffer[]} answered @param {Parameters<typeof verifiedFetch>[1]} [options] */
function fetched(answered, options) {
  answers = answered;
  requests = 0;
  return verifiedFetch({ ...wanted, url: `http://127.0.0.1:${port}/stdlib.zip` }, options);
}

test("a file that is what it should be is handed over, and its coming is told", async () => {
  /** @type {number[]} */
  const told = [];
  const result = await fetched([content], { onBytes: (bytes) => told.push(bytes) });
  assert.deepEqual(Buffer.from(result), content);
  assert.equal(told.at(-1), content.length);
  assert.equal(requests, 1);
});

test("a damaged copy is fetched again, past the cache", async () => {
  assert.deepEqual(Buffer.from(await fetched([damaged, content])), content);
  assert.equal(requests, 2);
});

for (const [what, answer] of /** @type {[string, Buffer][]} */ ([
  ["damaged", damaged],
  ["cut", content.subarray(1)],
  ["longer", Buffer.concat([content, content])],
])) {
  test(`a file that stays ${what} is refused`, async () => {
    await assert.rejects(fetched([answer]), /stdlib\.zip is not the file it should be/);
    assert.equal(requests, 2);
  });
}

test("a missing file is told with its status", async () => {
  await assert.rejects(fetched([]), /answered 404/);
});

test("an aborted download ends at once", async () => {
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(fetched([content], { signal: stop.signal }), { name: "AbortError" });
});
