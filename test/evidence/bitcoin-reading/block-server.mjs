// A node that knows some blocks by heart, in a thread of its own: reading them is measured, not answering.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { blocks } = workerData;
const byHash = new Map(blocks.map((block) => [block.hash, block]));
const answers = {
  getblockchaininfo: () => ({
    blocks: blocks.length - 1,
    headers: blocks.length - 1,
    bestblockhash: blocks.at(-1).hash,
  }),
  getblockhash: (height) => blocks[height].hash,
  getblockheader: (hash) => byHash.get(hash).header,
  getblock: (hash) => byHash.get(hash).bytes,
};
const answerTo = ({ id, method, params }) => ({ jsonrpc: '2.0', id, result: answers[method](...params) });

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const asked = JSON.parse(body);
  response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerTo) : answerTo(asked)));
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
