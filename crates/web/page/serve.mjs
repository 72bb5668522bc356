// Serves the page on loopback: node serve.mjs FOLDER
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const server = createServer((request, answer) => {
  if (new URL(request.url, "http://localhost").pathname !== "/") return answer.writeHead(404).end();
  answer.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  answer.end(readFileSync(join(process.argv[2], "index.html")));
});
server.listen(8017, "127.0.0.1", () => console.log("http://127.0.0.1:8017/ until Ctrl-C"));
