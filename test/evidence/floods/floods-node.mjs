// A node of small blocks of which one is flooded: its answers are written as they are made, so that they may be of any
// length. Sent a chain it has that one, sent a head it moves there; otherwise it answers how often it was asked.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { keccak_256 } from '@noble/hashes/sha3';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const BLOCK_SECONDS = 12;
const PIECE_BYTES = 64 * 1024;
const NO_BLOOM = `0x${'00'.repeat(256)}`;

const PAID = 10n ** 16n;

const sha = (text) => createHash('sha256').update(text).digest('hex');
const SIGNATURE = { v: '0x1', r: `0x${sha('r')}`, s: `0x${sha('s')}` };
const hex = (number) => `0x${number.toString(16)}`;
const wordOf = (number) => `0x${number.toString(16).padStart(64, '0')}`;
const inTopic = (address) => `0x${'0'.repeat(24)}${address.slice(2)}`;
const issued = (index) => `0x${sha(`address ${index}`).slice(0, 40)}`;
/** The addresses are somebody else's, and never one of ours. */
const stranger = (index) => `0x${(0xbad00000 + index).toString(16).padStart(40, '5')}`;
const hashAt = (number) => `0x${sha(`block ${number}`)}`;
const transactionHash = (index) => `0x${(0xc0ffee0000 + index).toString(16).padStart(64, '0')}`;

let chain;
let head = 0;
let bloom = NO_BLOOM;
/** The accounts that are paid, from the flooded block on. */
const balances = new Set();
let asked = {};
let bytes = 0;

/** One that pays lies between those of the flood, at even distances. */
const spacing = () => Math.ceil(chain.count / chain.paid);
const isPaying = (i) => chain.paid > 0 && i % spacing() === 1;
const paidTo = (i) => issued(Math.floor(i / spacing()));
const FLOODS = {
  zero: () => ({ amount: 0, token: 0 }),
  dust: () => ({ amount: 1, token: 0 }),
  dust_of_each: (i) => ({ amount: 1, token: i % chain.tokens.length }),
};

function logAt(i) {
  const common = {
    blockNumber: hex(chain.flooded),
    blockHash: hashAt(chain.flooded),
    transactionHash: transactionHash(Math.floor(i / chain.perTransaction)),
    transactionIndex: hex(Math.floor(i / chain.perTransaction)),
    logIndex: hex(i),
    removed: false,
  };
  if (isPaying(i)) {
    const topics = [TRANSFER, inTopic(stranger(i)), inTopic(paidTo(i))];
    return { address: chain.tokens[0], topics, data: wordOf(10_000_000), ...common };
  }
  if (chain.flood === 'foreign')
    return { address: stranger(i), topics: [wordOf(BigInt(i) + (1n << 200n))], data: '0x', ...common };
  const { amount, token } = FLOODS[chain.flood](i);
  const topics = [TRANSFER, inTopic(stranger(i)), inTopic(stranger(i + 1))];
  return { address: chain.tokens[token], topics, data: wordOf(amount), ...common };
}

function* logs(filter = {}) {
  if (chain.flood === 'transactions') return;
  const { address, topics = [] } = filter;
  const events = [topics[0] ?? []].flat();
  for (let i = 0; i < chain.count; i += 1) {
    const log = logAt(i);
    if (address !== undefined && ![address].flat().includes(log.address)) continue;
    if (events.length > 0 && !events.includes(log.topics[0])) continue;
    yield log;
  }
}

function transactionAt(i) {
  return {
    hash: transactionHash(i),
    blockHash: hashAt(chain.flooded),
    blockNumber: hex(chain.flooded),
    transactionIndex: hex(i),
    type: '0x2',
    nonce: hex(i),
    from: stranger(i),
    to: isPaying(i) ? paidTo(i) : stranger(i + 1),
    value: isPaying(i) ? hex(PAID) : '0x1',
    gas: '0x5208',
    gasPrice: '0x3b9aca00',
    input: '0x',
    accessList: [],
    ...SIGNATURE,
  };
}

function transactions() {
  return chain.flood === 'transactions' ? chain.count : Math.ceil(chain.count / chain.perTransaction);
}

function bloomOfFlood() {
  const filter = Buffer.alloc(256);
  const seen = new Set();
  for (const { address, topics } of logs())
    for (const value of [address, ...topics]) {
      if (seen.has(value)) continue;
      seen.add(value);
      const hash = keccak_256(Buffer.from(value.slice(2), 'hex'));
      for (const at of [0, 2, 4]) {
        const bit = ((hash[at] << 8) | hash[at + 1]) & 2047;
        filter[255 - (bit >> 3)] |= 1 << (bit & 7);
      }
    }
  return `0x${filter.toString('hex')}`;
}

function* listed(values) {
  yield '[';
  let before = '';
  for (const value of values) {
    yield before + (typeof value === 'string' ? value : JSON.stringify(value));
    before = ',';
  }
  yield ']';
}

function* blockAt(number, full) {
  if (number > head || number < 0) return yield 'null';
  const isFlooded = number === chain.flooded;
  const header = {
    number: hex(number),
    hash: hashAt(number),
    parentHash: hashAt(number - 1),
    timestamp: hex(chain.secondsAtZero + number * BLOCK_SECONDS),
    logsBloom: isFlooded ? bloom : NO_BLOOM,
  };
  yield `${JSON.stringify(header).slice(0, -1)},"transactions":`;
  const count = isFlooded ? transactions() : 0;
  yield* listed(
    (function* () {
      for (let i = 0; i < count; i += 1) yield full ? transactionAt(i) : `"${transactionHash(i)}"`;
    })(),
  );
  yield '}';
}

function* receiptAt(transaction) {
  const hash = transactionHash(transaction);
  const first = transaction * chain.perTransaction;
  const own = (function* () {
    if (chain.flood === 'transactions') return;
    for (let i = first; i < Math.min(chain.count, first + chain.perTransaction); i += 1) yield logAt(i);
  })();
  const fields = {
    transactionHash: hash,
    blockHash: hashAt(chain.flooded),
    blockNumber: hex(chain.flooded),
    status: '0x1',
    logsBloom: NO_BLOOM,
  };
  yield `${JSON.stringify(fields).slice(0, -1)},"logs":`;
  yield* listed(own);
  yield '}';
}

function* receipts() {
  yield '[';
  for (let i = 0; i < transactions(); i += 1) {
    if (i > 0) yield ',';
    yield* receiptAt(i);
  }
  yield ']';
}

class Refusal extends Error {}

function capped(method, count) {
  if (count > (chain.caps?.[method] ?? Infinity)) throw new Refusal('query returned more than 10000 results');
}

function lengthOf(values) {
  let length = 0;
  for (const value of values) length += value === undefined ? 0 : 1;
  return length;
}

function numberOf(hash) {
  return [...Array(head + 1).keys()].find((each) => hashAt(each) === hash) ?? -1;
}

function resultOf(method, [first, second]) {
  if (chain.lacks?.includes(method)) throw new Refusal(`the method ${method} does not exist`);
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'latest' ? head : Number(first);
    if (second === true && number === chain.flooded) capped(method, transactions());
    return blockAt(number, second);
  }
  if (method === 'eth_getBlockByHash') {
    const number = numberOf(first);
    if (second === true && number === chain.flooded) capped('eth_getBlockByNumber', transactions());
    return blockAt(number, second);
  }
  if (method === 'eth_getLogs') {
    const { blockHash, fromBlock, toBlock, ...filter } = first;
    const isFlooded =
      blockHash === hashAt(chain.flooded) ||
      (Number(fromBlock) <= chain.flooded && chain.flooded <= Math.min(head, Number(toBlock)));
    if (!isFlooded) return ['[]'];
    if (chain.caps?.[method] !== undefined) capped(method, lengthOf(logs(filter)));
    return listed(logs(filter));
  }
  if (method === 'eth_getBlockReceipts') {
    if (Number(first) !== chain.flooded) return ['[]'];
    capped(method, chain.count);
    return receipts();
  }
  if (method === 'eth_getTransactionReceipt') return receiptAt(Number(BigInt(first)) - 0xc0ffee0000);
  if (method === 'eth_getTransactionByBlockHashAndIndex')
    return [JSON.stringify(transactionAt(Number(second)))];
  if (method === 'eth_getTransactionByHash')
    return [JSON.stringify(transactionAt(Number(BigInt(first)) - 0xc0ffee0000))];
  if (method === 'eth_getBalance')
    return [
      JSON.stringify(balances.has(first) && numberOf(second.blockHash) >= chain.flooded ? hex(PAID) : '0x0'),
    ];
  return ['"0x0"'];
}

function* envelopeOf({ id, method, params }) {
  asked[method] = (asked[method] ?? 0) + 1;
  try {
    const result = resultOf(method, params);
    yield `{"jsonrpc":"2.0","id":${id},"result":`;
    yield* result;
    yield '}';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    yield JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_005, message: error.message } });
  }
}

function* answerTo(question) {
  if (!Array.isArray(question)) return yield* envelopeOf(question);
  let before = '[';
  for (const one of question) {
    yield before;
    yield* envelopeOf(one);
    before = ',';
  }
  yield ']';
}

async function send(response, question) {
  let piece = '';
  const flush = async () => {
    bytes += piece.length;
    const goesOn = response.write(piece);
    piece = '';
    if (!goesOn && !response.destroyed) await new Promise((goOn) => (response.goOn = goOn));
  };
  for (const part of answerTo(question)) {
    piece += part;
    if (piece.length >= PIECE_BYTES) await flush();
    if (response.destroyed) return;
  }
  await flush();
  response.end();
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    asked.posts = (asked.posts ?? 0) + 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    for (const event of ['drain', 'close']) response.on(event, () => response.goOn?.());
    send(response, JSON.parse(Buffer.concat(chunks).toString())).catch(() => response.destroy());
  });
});
server.keepAliveTimeout = 600_000;

process.on('message', ({ chain: sent, moveTo }) => {
  if (sent !== undefined) {
    chain = sent;
    head = chain.blocks;
    bloom = bloomOfFlood();
    balances.clear();
    for (let i = 0; i < chain.count; i += 1) if (isPaying(i)) balances.add(paidTo(i));
  }
  if (moveTo !== undefined) head = moveTo;
  process.send({ head, asked, bytes });
  asked = {};
  bytes = 0;
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
