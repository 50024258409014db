// Answers 200 to every POST. Asked, it answers with what it received since it was asked to forget, and when.
import { createServer } from 'node:http';

/** The machine's monotonic clock, the same for every process, in milliseconds. */
const now = () => Number(process.hrtime.bigint()) / 1e6;
let arrivals = new Map();
let posts = 0;

const server = createServer((request, response) => {
  const at = now();
  const id = request.headers['webhook-id'];
  request.on('data', () => undefined);
  request.on('end', () => {
    response.end();
    posts += 1;
    if (!arrivals.has(id)) arrivals.set(id, at);
  });
});
// Merchants' servers keep connections longer than the pauses of a measurement.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', ({ forget, list }) => {
  if (forget) {
    arrivals = new Map();
    posts = 0;
  }
  process.send({ posts, ids: arrivals.size, ...(list && { arrivals: [...arrivals] }) });
});
