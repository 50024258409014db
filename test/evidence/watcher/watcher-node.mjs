// A node that costs little: every block is made before anybody asks, and answered as the bytes that were made then.
// The logs of a block are ERC-20 transfers between strangers, but for a few to addresses that were issued. Sent a chain
// it makes it, sent a head it moves there; otherwise it answers how often it was asked.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { keccak_256 } from '@noble/hashes/sha3';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const STRANGERS = 4_000;
const BLOCK_SECONDS = 12;

const sha = (text) => createHash('sha256').update(text).digest('hex');
const hex = (number) => `0x${number.toString(16)}`;
const wordOf = (address) => `0x${'0'.repeat(24)}${address.slice(2)}`;
const issued = (index) => `0x${sha(`address ${index}`).slice(0, 40)}`;
const hashAt = (number) => `0x${sha(`block ${number}`)}`;

const bits = new Map();
function bloomBits(value) {
  let found = bits.get(value);
  if (found === undefined) {
    const hash = keccak_256(Buffer.from(value.slice(2), 'hex'));
    found = [0, 2, 4].map((i) => ((hash[i] << 8) | hash[i + 1]) & 2047);
    bits.set(value, found);
  }
  return found;
}

function bloomOf(logs) {
  const bloom = Buffer.alloc(256);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics])))
    for (const bit of bloomBits(value)) bloom[255 - (bit >> 3)] |= 1 << (bit & 7);
  return `0x${bloom.toString('hex')}`;
}

const blocks = new Map();
const numbers = new Map();
/** The receipts of the transactions that paid to issued addresses. */
const receipts = new Map();
let head = 0;
let asked = {};
let bytes = 0;

function make(number, { tokens, logs: count, calls, paid, paidTo, native, issuedCount, secondsAtZero }) {
  const hash = hashAt(number);
  const transactions = Array.from({ length: calls }, (_, i) => `0x${sha(`transaction ${number} ${i}`)}`);
  const logs = Array.from({ length: count }, (_, i) => {
    const stranger = (role) =>
      `0x${sha(`stranger ${(number * 31 + i * 17 + role) % STRANGERS}`).slice(0, 40)}`;
    // The last ones of a block are to issued addresses, each to another one.
    const ours = number > paidTo ? paid : count - i - 1;
    const to = ours < paid ? issued(((number * paid + ours) * 7_919) % issuedCount) : stranger(1);
    return {
      address: tokens[ours < paid ? 0 : i % tokens.length],
      topics: [TRANSFER, wordOf(stranger(0)), wordOf(to)],
      data: `0x${(ours < paid ? 10_000_000 : 1_000_000 + i).toString(16).padStart(64, '0')}`,
      blockNumber: hex(number),
      transactionHash: transactions[i % calls],
      transactionIndex: hex(i % calls),
      blockHash: hash,
      blockTimestamp: hex(secondsAtZero + number * BLOCK_SECONDS),
      logIndex: hex(i),
      removed: false,
    };
  });
  const header = {
    number: hex(number),
    hash,
    parentHash: hashAt(number - 1),
    nonce: '0x0000000000000000',
    sha3Uncles: `0x${sha('uncles')}`,
    logsBloom: bloomOf(logs),
    transactionsRoot: `0x${sha(`transactions ${number}`)}`,
    stateRoot: `0x${sha(`state ${number}`)}`,
    receiptsRoot: `0x${sha(`receipts ${number}`)}`,
    miner: `0x${sha('miner').slice(0, 40)}`,
    difficulty: '0x0',
    extraData: '0x',
    size: '0x1d4c0',
    gasLimit: '0x2255100',
    gasUsed: '0x10d2f3a',
    timestamp: hex(secondsAtZero + number * BLOCK_SECONDS),
    baseFeePerGas: '0x3b9aca00',
    mixHash: `0x${sha(`mix ${number}`)}`,
    uncles: [],
  };
  // One transaction of four carries native value.
  const full = (native ? transactions : []).map((transaction, i) => ({
    hash: transaction,
    blockHash: hash,
    blockNumber: hex(number),
    transactionIndex: hex(i),
    type: '0x2',
    chainId: '0x1',
    nonce: hex(number + i),
    from: `0x${sha(`stranger ${(number * 13 + i) % STRANGERS}`).slice(0, 40)}`,
    to: `0x${sha(`stranger ${(number * 7 + i) % STRANGERS}`).slice(0, 40)}`,
    value: i % 4 === 0 ? hex(10n ** 16n + BigInt(i)) : '0x0',
    gas: '0x5208',
    gasPrice: '0x3b9aca00',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    input: i % 4 === 0 ? '0x' : `0xa9059cbb${'0'.repeat(128)}`,
    accessList: [],
    v: '0x1',
    r: `0x${sha(`r ${i}`)}`,
    s: `0x${sha(`s ${i}`)}`,
    yParity: '0x1',
  }));
  numbers.set(hash, number);
  for (const { transactionHash } of logs.slice(number > paidTo ? count : count - paid)) {
    const own = logs.filter((log) => log.transactionHash === transactionHash);
    const receipt = { transactionHash, blockHash: hash, blockNumber: hex(number), status: '0x1', logs: own };
    receipts.set(transactionHash, Buffer.from(JSON.stringify(receipt)));
  }
  blocks.set(number, {
    slim: Buffer.from(JSON.stringify({ ...header, transactions })),
    full: Buffer.from(JSON.stringify({ ...header, transactions: full })),
    // Without the brackets, so that a range is its blocks' logs one after the other.
    logs: Buffer.from(JSON.stringify(logs).slice(1, -1)),
  });
}

function* logsOf(from, to) {
  yield Buffer.from('[');
  for (let number = from, first = true; number <= to && number <= head; number += 1) {
    const { logs } = blocks.get(number) ?? { logs: '' };
    if (logs.length === 0) continue;
    if (!first) yield Buffer.from(',');
    yield logs;
    first = false;
  }
  yield Buffer.from(']');
}

function* resultOf(method, [first, second]) {
  if (method === 'eth_getBlockByNumber') {
    const number = first === 'latest' ? head : Number(first);
    const block = number <= head ? blocks.get(number) : undefined;
    yield block === undefined ? Buffer.from('null') : second === true ? block.full : block.slim;
  } else if (method === 'eth_getBlockByHash') {
    yield blocks.get(numbers.get(first))?.slim ?? Buffer.from('null');
  } else if (method === 'eth_getLogs') {
    const at = first.blockHash === undefined ? null : numbers.get(first.blockHash);
    yield* at === null ? logsOf(Number(first.fromBlock), Number(first.toBlock)) : logsOf(at, at);
  } else if (method === 'eth_getTransactionReceipt') {
    yield receipts.get(first) ?? Buffer.from('null');
  } else {
    yield Buffer.from('"0x0"');
  }
}

function* envelopeOf({ id, method, params }) {
  asked[method] = (asked[method] ?? 0) + 1;
  yield Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`);
  yield* resultOf(method, params);
  yield Buffer.from('}');
}

function* answerTo(question) {
  if (!Array.isArray(question)) return yield* envelopeOf(question);
  let before = '[';
  for (const one of question) {
    yield Buffer.from(before);
    yield* envelopeOf(one);
    before = ',';
  }
  yield Buffer.from(']');
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    asked.posts = (asked.posts ?? 0) + 1;
    const parts = [...answerTo(JSON.parse(Buffer.concat(chunks).toString()))];
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    bytes += length;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.cork();
    for (const part of parts) response.write(part);
    response.uncork();
    response.end();
  });
});
server.keepAliveTimeout = 600_000;

process.on('message', ({ chain, moveTo }) => {
  if (chain !== undefined) {
    blocks.clear();
    receipts.clear();
    for (let number = 0; number <= chain.blocks; number += 1) make(number, chain);
    head = chain.blocks;
  }
  if (moveTo !== undefined) head = moveTo;
  process.send({
    head,
    asked,
    bytes,
    cpuMs: process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000,
  });
  asked = {};
  bytes = 0;
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
