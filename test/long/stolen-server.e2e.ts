import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createWalletClient,
  encodeFunctionData,
  http,
  parseEther,
  publicActions,
  toHex,
  type Address,
  type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  artifacts,
  deployment,
  saltOf,
  settleData,
  type Terms,
} from '../../solidity/test/support/forwarders.js';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { TEST_CHAIN_ID } from '#test/support/chain.js';
import { eventually } from '#test/support/eventually.js';
import { startTestService, type TestService } from '#test/support/service.js';

const CONFIRMATIONS = 5;
const PAID = 100_000_000n;
const FEE = (PAID * BigInt(SANDBOX_TERMS.feeBasisPoints)) / 10_000n;

/** The thief has the service's only key of the chain, the database as its owner, and an account of their own. */
const GAS_KEY = generatePrivateKey();
const gas = privateKeyToAccount(GAS_KEY);
const own = privateKeyToAccount(generatePrivateKey());
const thief = own.address;

let service: TestService;
let request: PaymentRequestDto;
let token: Address;

beforeAll(async () => {
  service = await startTestService({ settings: { GAS_KEY } });
  token = tokenOf(service.assets[0]!.unique_asset_id);
  request = await service.api.post<PaymentRequestDto>(`/v1/pos/${service.seed.posId}/payment-request`, {
    amount: '100',
    unique_asset_id: service.assets[0]!.unique_asset_id,
  });
  await service.wallet.mined(await service.wallet.send(token, request.address as Address, PAID));
  await service.chain.mine(CONFIRMATIONS);
  await eventually(waiting, (amount) => amount === PAID.toString());
  await service.processes.worker.stop();
  for (const { address } of [gas, own])
    await service.chain.rpc('anvil_setBalance', [address, toHex(parseEther('10'))]);
});

afterAll(() => service?.stop());

const waiting = async () =>
  (await service.query<{ amount: string }>('SELECT amount::text FROM settlement.waiting'))[0]?.amount;

const chain = () =>
  createWalletClient({ transport: http(service.chain.url), account: gas }).extend(publicActions);

/** Sends it from the gas key and from the thief's account. The chain may refuse it. */
async function attempt(call: { to: Address; data: Hex }): Promise<void> {
  for (const account of [gas, own]) {
    const wallet = createWalletClient({ transport: http(service.chain.url), account }).extend(publicActions);
    const hash = await wallet
      .sendTransaction({ ...call, chain: null, gas: 3_000_000n } as never)
      .catch(() => null);
    if (hash !== null) await wallet.waitForTransactionReceipt({ hash });
  }
}

async function balances() {
  const of = (holder: string) => service.wallet.balance(token, holder as Address);
  return {
    deposit: await of(request.address),
    thief: (await of(thief)) + (await of(gas.address)),
    settlement: await of(SANDBOX_TERMS.settlementAddress),
    fee: await of(SANDBOX_TERMS.feeRecipient),
  };
}

const genuine = (): Terms => ({
  settlement: SANDBOX_TERMS.settlementAddress as Address,
  feeRecipient: SANDBOX_TERMS.feeRecipient as Address,
  feeBasisPoints: SANDBOX_TERMS.feeBasisPoints,
  homeChainId: BigInt(TEST_CHAIN_ID),
});

const batch = (terms: Terms, undeployed = true) =>
  settleData([{ terms, token, undeployed, salts: [saltOf(request.id)] }]);

/** The owner of the tables runs these, with their triggers off. */
const tamper = (statements: string) =>
  service.query(`SET session_replication_role = replica; ${statements}; RESET session_replication_role`);

// solidity/test/authority.test.ts has the attacks on the contracts themselves.
describe('A thief with the gas key and the rights of the database owner', () => {
  const factory = deployment.factory as Address;

  it('gains nothing by settling with other terms than those of the payment', async () => {
    const before = await balances();

    for (const forged of [{ settlement: thief }, { feeRecipient: thief }, { feeBasisPoints: 10_000 }])
      await attempt({ to: factory, data: batch({ ...genuine(), ...forged }) });

    expect(await balances()).toEqual(before);
    expect(before).toMatchObject({ deposit: PAID, thief: 0n });
  });

  it('gains nothing by changing rows: the worker sets forged terms aside, and does not sign a forged batch', async () => {
    const before = await balances();
    await tamper(`UPDATE payments.deposit_addresses SET settlement_address = '${thief}', fee_recipient = '${thief}';
      UPDATE point_of_sale.settlement_terms SET settlement_address = '${thief}', fee_recipient = '${thief}'`);
    const worker = await service.anotherWorker();

    const aside = () => service.query<{ reason: string }>('SELECT reason FROM settlement.set_aside');
    expect(await eventually(aside, ({ length }) => length > 0)).toEqual([{ reason: 'not_derived' }]);

    expect(await balances()).toEqual(before);
    await worker.stop();
    const forged = encodeFunctionData({
      abi: artifacts.TestToken.abi,
      functionName: 'mint',
      args: [thief, PAID],
    });
    await tamper(`INSERT INTO settlement.batches (id, network, sender, recipient, data, gas_limit, payout_count, state,
        created_at, updated_at)
      VALUES (gen_random_uuid(), 'sandbox', '${gas.address.toLowerCase()}', '${token.toLowerCase()}',
        '\\x${forged.slice(2)}', 3000000, 1, 'chosen', platform.now(), platform.now())`);
    const nonce = await chain().getTransactionCount({ address: gas.address });
    const another = await service.anotherWorker();
    await eventually(
      async () => service.log('worker'),
      (log) => log.includes('must be a contract that a settlement calls on this network'),
    );
    expect(await chain().getTransactionCount({ address: gas.address })).toBe(nonce);
    expect((await balances()).thief).toBe(0n);
    await another.stop();
  });

  it('settles only to the settlement address, with the agreed fee', async () => {
    const before = await balances();

    await attempt({ to: factory, data: batch(genuine(), false) });

    expect(await balances()).toEqual({
      deposit: 0n,
      thief: 0n,
      settlement: before.settlement + PAID - FEE,
      fee: before.fee + FEE,
    });
  });
});
