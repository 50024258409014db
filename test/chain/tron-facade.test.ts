import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TronWeb, utils } from 'tronweb';
import { startAnvil, type Anvil } from '#sandbox/chain/anvil.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { contractArtifact } from '#sandbox/chain/deterministic-deployment.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { TronChain } from '#sandbox/tron/tron-chain.js';
import { readTronAddress } from '#sandbox/tron/tron-address.js';
import { encodeTransaction, readTransaction } from '#sandbox/tron/tron-transaction.js';
import { startTronFacade, type TronFacade } from '#sandbox/tron/tron-facade.js';

const CHAIN_ID = 3_448_148_188;
const KEY = '1111111111111111111111111111111111111111111111111111111111111111';
const TRX = 1_000_000;
const FEE_LIMIT = 200 * TRX;
const BLOCK_MS = 3_000;
const SOLID_AFTER = 19;

type Signed = Awaited<ReturnType<TronWeb['trx']['sign']>> & { txID: string };

let keptFile: string;
let anvil: Anvil;
let facade: TronFacade;
let tron: TronWeb;
let owner: string;
let ownerHex: string;
let token: string;

beforeAll(async () => {
  anvil = await startAnvil({ port: await freePort(), chainId: CHAIN_ID, inSentOrder: true });
  keptFile = join(await mkdtemp(join(tmpdir(), 'tron-')), 'transactions');
  facade = await startTronFacade({ anvilUrl: anvil.url, port: 0, clock: () => 0, keptFile });
  tron = new TronWeb({ fullHost: facade.url, privateKey: KEY });
  owner = tron.defaultAddress.base58 as string;
  ownerHex = (tron.defaultAddress.hex as string).toLowerCase();
  await facade.chain.anvil.setBalance(ownerHex, 10_000 * TRX);
  // tronweb cannot refer to the first block.
  await facade.chain.mine();
  const { abi, bytecode } = contractArtifact('TestToken');
  const created = await tron.transactionBuilder.createSmartContract(
    {
      abi: abi as never,
      bytecode: bytecode.slice(2),
      parameters: ['Tether USD', 'USDT', 6],
      feeLimit: 1_000 * TRX,
      name: 'TetherToken',
    } as never,
    owner,
  );
  token = TronWeb.address.fromHex((created as unknown as { contract_address: string }).contract_address);
  await send(created);
  await facade.chain.mine();
  await send(await call('mint(address,uint256)', [address(owner), uint256(1_000_000)]));
  await facade.chain.mine();
});
afterAll(async () => {
  await facade.stop();
  await anvil.stop();
  await rm(dirname(keptFile), { recursive: true });
});

beforeEach(() => {
  for (const key of Object.keys(facade.faults)) delete (facade.faults as Record<string, unknown>)[key];
  facade.chain.penaltyPercent = 0;
});

const address = (value: string) => ({ type: 'address', value });
const uint256 = (value: number) => ({ type: 'uint256', value });

async function call(selector: string, parameters: { type: string; value: unknown }[], feeLimit = FEE_LIMIT) {
  const options = { feeLimit, txLocal: true };
  const { transaction } = await tron.transactionBuilder.triggerSmartContract(
    token,
    selector,
    options as never,
    parameters as never,
    owner,
  );
  return transaction;
}

let sent = 0;
/** Each has another amount, and so another id. */
const transfer = (to: string, feeLimit = FEE_LIMIT) =>
  call('transfer(address,uint256)', [address(to), uint256((sent += 1))], feeLimit);

async function send(transaction: unknown): Promise<Signed> {
  const signed = (await tron.trx.sign(transaction as never)) as Signed;
  const answer = await tron.trx.sendRawTransaction(signed as never);
  if (answer.result !== true) throw new Error(JSON.stringify({ ...answer, transaction: undefined }));
  return signed;
}

async function mine(blocks: number): Promise<void> {
  for (let i = 0; i < blocks; i += 1) await facade.chain.mine();
}

const balanceOf = async (holder: string) => {
  const { constant_result } = await tron.transactionBuilder.triggerConstantContract(
    token,
    'balanceOf(address)',
    {},
    [address(holder)],
    owner,
  );
  return BigInt(`0x${constant_result![0]}`);
};
const freshAddress = () => utils.accounts.generateAccount().address.base58;
const post = async <Answer>(path: string, body: object): Promise<Answer> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${facade.url}${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
};
const rpc = <Answer>(method: string, params: unknown[]) =>
  chainRpc<Answer>(`${facade.url}/jsonrpc`, method, params);
/** The built transaction with other fields, and the id and signature that belong to them. */
async function resigned(transaction: unknown, changes: object): Promise<Signed> {
  const { raw_data, ...rest } = transaction as { raw_data: object };
  const changed = { ...rest, raw_data: { ...raw_data, ...changes } };
  const pb = utils.transaction.txJsonToPb(changed as never);
  const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
  const raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
  return (await tron.trx.sign({ ...changed, txID, raw_data_hex } as never)) as Signed;
}
const codeOf = async (signed: unknown) =>
  (await post<{ result?: boolean; code?: string }>('/wallet/broadcasttransaction', signed as object)).code ??
  'SUCCESS';

describe('The TRON network of the sandbox, for tronweb', () => {
  it('includes a transfer of a token, and shows it in every answer', async () => {
    const to = freshAddress();
    const { txID } = await send(await transfer(to));
    expect(await tron.trx.getTransactionInfo(txID)).toEqual({});

    const { id, number } = await facade.chain.mine();

    expect(await balanceOf(to)).toBe(BigInt(sent));
    const info = (await tron.trx.getUnconfirmedTransactionInfo(txID)) as unknown as Record<string, never>;
    expect(info).toMatchObject({ id: txID, blockNumber: number, receipt: { result: 'SUCCESS' } });
    expect((info['log'] as unknown as { address: string }[])[0]!.address).toBe(
      TronWeb.address.toHex(token).slice(2).toLowerCase(),
    );
    expect((await tron.trx.getBlock(number)).blockID).toBe(id);
    const [log] = await rpc<Record<string, string>[]>('eth_getLogs', [{ blockHash: `0x${id}` }]);
    expect(log).toMatchObject({ transactionHash: `0x${txID}`, blockHash: `0x${id}` });
    expect(await rpc('eth_getTransactionReceipt', [`0x${txID}`])).toMatchObject({
      status: '0x1',
      logs: [log],
    });
    expect(await rpc('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      transactions: [`0x${txID}`],
    });
    expect(await post('/wallet/gettransactioninfobyblocknum', { num: number })).toEqual([info]);
  });

  it('shows a transaction to the solidity node once 19 blocks are above it', async () => {
    const { txID } = await send(await transfer(freshAddress()));
    await mine(SOLID_AFTER);
    expect(await tron.trx.getConfirmedTransaction(txID).catch(() => null)).toBeNull();

    await mine(1);

    expect(await tron.trx.getTransactionInfo(txID)).toMatchObject({ id: txID });
    const [solid, tagged] = await Promise.all([
      post<{ blockID: string }>('/walletsolidity/getnowblock', {}),
      rpc<{ hash: string }>('eth_getBlockByNumber', ['finalized', false]),
    ]);
    expect(tagged.hash).toBe(`0x${solid.blockID}`);
  });

  it('moves TRX, and charges for a new account', async () => {
    const to = freshAddress();
    const before = await tron.trx.getUnconfirmedBalance(owner);

    await tron.trx.sendTransaction(to, 5 * TRX);
    await facade.chain.mine();

    expect(await tron.trx.getUnconfirmedBalance(to)).toBe(5 * TRX);
    expect(before - (await tron.trx.getUnconfirmedBalance(owner))).toBeGreaterThanOrEqual(
      5 * TRX + 1_100_000,
    );
  });

  it('takes a transaction in bytes, and finds its block by id and by number', async () => {
    const to = freshAddress();
    const signed = (await tron.trx.sign((await transfer(to)) as never)) as Signed;
    const hex = encodeTransaction(readTransaction(signed as never));

    const answer = await tron.trx.sendHexTransaction(hex);
    const again = await post<{ code: string; message: string }>('/wallet/broadcasthex', { transaction: hex });
    const { id, number } = await facade.chain.mine();

    expect(answer).toMatchObject({ result: true, code: 'SUCCESS', txid: signed.txID });
    expect(again).toMatchObject({
      result: false,
      code: 'DUP_TRANSACTION_ERROR',
      message: 'Transaction already exists.',
    });
    expect(await balanceOf(to)).toBe(BigInt(sent));
    const [byNumber, byId] = [await tron.trx.getBlockByNumber(number), await tron.trx.getBlockByHash(id)];
    expect(byId).toEqual(byNumber);
    expect(byNumber.transactions?.map(({ txID }) => txID)).toEqual([signed.txID]);
    const unknown = `${id.slice(0, 16)}${'0'.repeat(48)}`;
    expect(await post('/wallet/getblock', { id_or_num: unknown, detail: true })).toEqual({});
  });
});

describe('The node of the TRON network', () => {
  it('builds the transactions that tronweb accepts', async () => {
    const { transaction } = await tron.transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT, txLocal: false } as never,
      [address(freshAddress()), uint256(1)] as never,
      owner,
    );
    const to = readTronAddress(freshAddress())!;
    const built = await post<{ txID: string }>('/wallet/createtransaction', {
      owner_address: ownerHex,
      to_address: to,
      amount: 3 * TRX,
    });

    expect(await codeOf(await tron.trx.sign(transaction as never))).toBe('SUCCESS');
    expect(await codeOf(await tron.trx.sign(built as never))).toBe('SUCCESS');
    const listed = () => post<{ txId: string[] }>('/wallet/gettransactionlistfrompending', {});
    expect((await listed()).txId).toEqual([transaction.txID, built.txID]);
    const value = { value: transaction.txID };
    expect(await post('/wallet/gettransactionfrompending', value)).toMatchObject({ txID: transaction.txID });
    await facade.chain.mine();
    expect(await listed()).toEqual({ txId: [] });
    expect(await post('/wallet/gettransactionfrompending', value)).toEqual({});
  });

  it('tells prices, limits, contracts and energy', async () => {
    const parameters = await tron.trx.getChainParameters();
    const valueOf = (key: string) => parameters.find((each) => each.key === key)?.value;
    const { energy_required } = await tron.transactionBuilder.estimateEnergy(
      token,
      'transfer(address,uint256)',
      {},
      [address(freshAddress()), uint256(1)],
      owner,
    );
    const info = { value: readTronAddress(token) };

    expect([valueOf('getEnergyFee'), valueOf('getTransactionFee')]).toEqual([100, 1_000]);
    expect(await tron.trx.getEnergyPrices()).toBe('0:100');
    expect(await tron.trx.getBandwidthPrices()).toBe('0:1000');
    expect((await tron.trx.getContract(token)).contract_address).toBe(readTronAddress(token));
    expect(await post('/wallet/getcontractinfo', info)).toMatchObject({
      contract_state: { energy_factor: 0 },
    });
    expect(await tron.trx.getNodeInfo()).toMatchObject({
      block: `Num:${facade.chain.newest.number},ID:${facade.chain.newest.id}`,
    });
    expect(energy_required).toBeGreaterThan(10_000);
    const spelled = await post<{ address: string }>('/wallet/getaccount', { address: owner, visible: true });
    expect(spelled.address).toBe(owner);
  });
});

describe('The TRON network of the sandbox, as to its rules', () => {
  it('includes a transaction once', async () => {
    const signed = await send(await transfer(freshAddress()));
    expect(await codeOf(signed)).toBe('DUP_TRANSACTION_ERROR');

    await facade.chain.mine();

    expect(await codeOf(signed)).toBe('DUP_TRANSACTION_ERROR');
  });

  it.each([
    ['a past expiration', (now: number) => ({ expiration: now }), 'TRANSACTION_EXPIRATION_ERROR'],
    [
      'an expiration after a day',
      (now: number) => ({ expiration: now + 86_400_001 }),
      'TRANSACTION_EXPIRATION_ERROR',
    ],
    ['another block', () => ({ ref_block_hash: '00'.repeat(8) }), 'TAPOS_ERROR'],
    ['a fee limit above the chain’s', () => ({ fee_limit: 15_000 * TRX + 1 }), 'CONTRACT_VALIDATE_ERROR'],
  ])('refuses a transaction with %s', async (_, changes, code) => {
    const { timestamp } = facade.chain.newest;

    expect(await codeOf(await resigned(await transfer(freshAddress()), changes(timestamp)))).toBe(code);
  });

  it('refuses a signature of another key, and an account without TRX', async () => {
    const built = await transfer(freshAddress());
    const other = '22'.repeat(32);
    const byOther = utils.crypto.signTransaction(other, { ...built } as never);
    const poor = new TronWeb({ fullHost: facade.url, privateKey: other });
    const { transaction } = await poor.transactionBuilder.triggerSmartContract(
      token,
      'transfer(address,uint256)',
      { feeLimit: FEE_LIMIT, txLocal: true } as never,
      [address(owner), uint256(1)] as never,
      poor.defaultAddress.base58 as string,
    );

    expect(await codeOf(byOther)).toBe('SIGERROR');
    expect(await codeOf(await poor.trx.sign(transaction as never))).toBe('CONTRACT_VALIDATE_ERROR');
  });

  it('refuses an expired transaction, whether or not it was lost before', async () => {
    const { timestamp } = facade.chain.newest;
    const changes = { expiration: timestamp + 2 * BLOCK_MS };
    const [first, second] = [await transfer(freshAddress()), await transfer(freshAddress())];
    const signed = await resigned(first, changes);
    facade.faults.losesBroadcasts = true;
    expect(await codeOf(signed)).toBe('SUCCESS');
    facade.faults.losesBroadcasts = false;
    await mine(3);

    expect(await codeOf(signed)).toBe('TRANSACTION_EXPIRATION_ERROR');
    expect(await codeOf(await resigned(second, changes))).toBe('TRANSACTION_EXPIRATION_ERROR');
    expect(facade.chain.inclusion(signed.txID)).toBeUndefined();
  });

  it('burns TRX for energy and bandwidth, and uses delegated energy first', async () => {
    const resources = () =>
      tron.trx.getAccountResources(owner) as Promise<unknown> as Promise<Record<string, number>>;
    const used = async () => {
      const before = await tron.trx.getUnconfirmedBalance(owner);
      const { txID } = await send(await transfer(freshAddress()));
      await facade.chain.mine();
      const { fee = 0, receipt } = (await tron.trx.getUnconfirmedTransactionInfo(txID)) as unknown as {
        fee?: number;
        receipt: Record<string, number>;
      };
      expect(before - (await tron.trx.getUnconfirmedBalance(owner))).toBe(fee);
      return receipt;
    };

    const burned = await used();
    facade.chain.resources.setEnergyLimit(ownerHex, 1_000_000);
    const delegated = await used();
    facade.chain.resources.setEnergyLimit(ownerHex, 0);

    expect(burned['energy_fee']).toBe(burned['energy_usage_total']! * 100);
    expect(burned['net_fee']).toBeGreaterThan(0);
    expect(delegated['energy_fee']).toBeUndefined();
    expect(delegated['energy_usage']).toBe(delegated['energy_usage_total']);
    expect(await resources()).toMatchObject({ freeNetLimit: 600, EnergyUsed: delegated['energy_usage'] });
  });

  it('stops at the fee limit, and keeps the fee', async () => {
    const to = freshAddress();
    const { txID } = await send(await transfer(to, 1 * TRX));
    await facade.chain.mine();

    expect(await tron.trx.getUnconfirmedTransactionInfo(txID)).toMatchObject({
      receipt: { result: 'OUT_OF_ENERGY', energy_fee: 1 * TRX },
      result: 'FAILED',
    });
    expect(await balanceOf(to)).toBe(0n);
  });

  it('reports a reverted call', async () => {
    const failing = await call('transfer(address,uint256)', [address(freshAddress()), uint256(10 ** 12)]);
    const { txID } = await send(failing);
    await facade.chain.mine();

    expect(await tron.trx.getUnconfirmedTransactionInfo(txID)).toMatchObject({
      receipt: { result: 'REVERT' },
    });
    expect(await rpc('eth_getTransactionReceipt', [`0x${txID}`])).toMatchObject({ status: '0x0', logs: [] });
  });

  it('estimates what a call uses, with the penalty of a busy contract', async () => {
    const to = freshAddress();
    const estimate = async () => {
      const { energy_used, energy_penalty = 0 } = await tron.transactionBuilder.triggerConstantContract(
        token,
        'transfer(address,uint256)',
        {},
        [address(to), uint256(1)],
        owner,
      );
      return { energy_used: energy_used!, energy_penalty };
    };
    const plain = await estimate();
    facade.chain.penaltyPercent = 50;
    const busy = await estimate();
    const { txID } = await send(await call('transfer(address,uint256)', [address(to), uint256(1)]));
    await facade.chain.mine();
    const { receipt } = (await tron.trx.getUnconfirmedTransactionInfo(txID)) as unknown as {
      receipt: Record<string, number>;
    };

    expect(plain.energy_penalty).toBe(0);
    expect(busy.energy_penalty).toBe(Math.floor(plain.energy_used / 2));
    expect(receipt['energy_usage_total']).toBe(busy.energy_used);
    expect(receipt['energy_penalty_total']).toBe(busy.energy_penalty);
  });
});

describe('A faulty node of the TRON network', () => {
  it.each(['SERVER_BUSY', 'NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'] as const)(
    'refuses transactions with %s, and takes them later',
    async (broadcastCode) => {
      const signed = (await tron.trx.sign((await transfer(freshAddress())) as never)) as Signed;
      facade.faults.broadcastCode = broadcastCode;
      expect(await codeOf(signed)).toBe(broadcastCode);
      facade.faults.broadcastCode = undefined;

      expect(await codeOf(signed)).toBe('SUCCESS');
    },
  );

  it('serves no logs, while its receipts have them', async () => {
    await send(await transfer(freshAddress()));
    const { id, number } = await facade.chain.mine();
    facade.faults.emptyLogs = true;

    expect(await rpc('eth_getLogs', [{ blockHash: `0x${id}` }])).toEqual([]);
    const infos = await post<{ log?: unknown[] }[]>('/wallet/gettransactioninfobyblocknum', { num: number });
    expect(infos.at(-1)?.log).toHaveLength(1);
  });

  it('is behind in all of its answers', async () => {
    const { txID } = await send(await transfer(freshAddress()));
    const { id, number } = await facade.chain.mine();
    await mine(1);
    facade.faults.blocksBehind = 2;

    expect(Number(await rpc('eth_blockNumber', []))).toBe(number - 1);
    expect(await rpc('eth_getBlockByHash', [`0x${id}`, false])).toBeNull();
    expect(await rpc('eth_getLogs', [{ fromBlock: `0x${number.toString(16)}` }]).catch(String)).toContain(
      'fromBlock <= toBlock',
    );
    expect(await tron.trx.getUnconfirmedTransactionInfo(txID)).toEqual({});
    expect((await tron.trx.getCurrentBlock()).block_header.raw_data.number).toBe(number - 1);
  });
});

describe('The TRON network of the sandbox, after a restart', () => {
  it('knows its transactions and what accounts have used', async () => {
    const { txID } = await send(await transfer(freshAddress()));
    await facade.chain.mine();

    const again = await TronChain.open({ anvilUrl: anvil.url, keptFile });

    expect(again.newest).toEqual(facade.chain.newest);
    expect(again.inclusion(txID)).toEqual(facade.chain.inclusion(txID));
    expect(again.resources.snapshot()).toEqual(facade.chain.resources.snapshot());
  });
});

describe('A reorganization of the TRON network', () => {
  it('drops transactions, gives their fees back, and changes the blocks', async () => {
    const to = freshAddress();
    const before = await tron.trx.getUnconfirmedBalance(owner);
    const signed = await send(await transfer(to));
    const { id, number } = await facade.chain.mine();
    await mine(2);

    const { changed, dropped } = await facade.chain.reorganize(3, false);

    expect({ changed, dropped }).toEqual({
      changed: [number, number + 1, number + 2],
      dropped: [signed.txID],
    });
    expect((await facade.chain.block(number))!.id).not.toBe(id);
    expect(await rpc('eth_getBlockByHash', [`0x${id}`, false])).toBeNull();
    expect(await balanceOf(to)).toBe(0n);
    expect(await tron.trx.getUnconfirmedBalance(owner)).toBe(before);
    expect(await codeOf(signed)).toBe('SUCCESS');
    await facade.chain.mine();
    expect(await balanceOf(to)).toBe(BigInt(sent));
  });

  it('keeps transactions on request, and drops those that refer to a replaced block', async () => {
    const kept = await send(await transfer(freshAddress()));
    const { number } = await facade.chain.mine();
    const { id } = facade.chain.newest;
    const reference = { ref_block_bytes: id.slice(12, 16), ref_block_hash: id.slice(16, 32) };
    const lost = await resigned(await transfer(freshAddress()), reference);
    expect(await codeOf(lost)).toBe('SUCCESS');
    await facade.chain.mine();

    const { dropped } = await facade.chain.reorganize(2, true);

    expect(dropped).toEqual([lost.txID]);
    expect(facade.chain.inclusion(kept.txID)?.block.number).toBe(number);
    expect(await codeOf(lost)).toBe('TAPOS_ERROR');
  });

  it('refuses to replace a solid block', async () => {
    await mine(SOLID_AFTER + 1);

    await expect(facade.chain.reorganize(SOLID_AFTER + 1, false)).rejects.toThrow(
      'Only the newest 19 blocks',
    );
  });
});
