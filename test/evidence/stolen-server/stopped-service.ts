import { randomBytes } from 'node:crypto';
import type { Address } from 'viem';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import type { RefundDto } from '#contexts/settlement/infrastructure/refunds/http/refund.dto.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/service.js';

export const NETWORK = 'sandbox';
export const UNIT = 10n ** 6n;
export const ETHER = 10n ** 18n;
/** More than the sandbox's confirmations. */
export const UNTIL_FINAL = 6;

/** A thief finds these to steal, in SQL's spelling. */
export interface Facts {
  readonly thief: Address;
  readonly token: Address;
  readonly organization: string;
  readonly account: string;
  readonly float: string;
  readonly floatAddress: Address;
  readonly gasAddress: Address;
  /**
   * The refund of 5 is approved and not planned yet; that of 7 is with the nodes; the payer of that of 3 has named no address;
   * the last is paid already.
   */
  readonly approved: string;
  readonly broadcast: string;
  readonly pending: string;
  readonly paid: string;
  /** A withdrawal of 4 to the settlement address, not planned yet. */
  readonly withdrawal: string;
  readonly nextNonce: number;
}

/** The service, stopped in the middle of its work. */
export interface StoppedService {
  readonly service: TestService;
  readonly facts: Facts;
  /** Who is to be paid, of the approved refund and of the one with the nodes, and the bytes of that one. */
  readonly approved: Address;
  readonly broadcast: Address;
  readonly raw: string;
}

interface FloatRow {
  readonly id: string;
  readonly address: Address | null;
  readonly organization_id: string;
  readonly account_id: string;
}

const account = (): Address => `0x${randomBytes(20).toString('hex')}`;

/** A payment of 50, settled; a float of 100 tokens and 5 of coin; refunds in all states, and a withdrawal. */
export async function stoppedService(): Promise<StoppedService> {
  const service = await startTestService({ settles: true });
  const { unique_asset_id } = service.assets[0]!;
  const token = tokenOf(unique_asset_id);
  const request = await paidRequest(service, unique_asset_id);
  const refund = (amount: string, to?: Address) =>
    service.api.post<RefundDto>(`/v1/refunds/payment-request/${request}`, {
      ...(to === undefined ? { claim: {} } : { refund_to_address: to }),
      amount,
    });
  const paid = await funded(service, token, () => refund('1', account()).catch(() => null));
  const [float] = await service.query<FloatRow & { address: Address }>(
    'SELECT * FROM settlement.refund_floats',
  );
  await mining(service, `SELECT FROM settlement.refunds WHERE id = '${paid}' AND status = 'completed'`);
  await mining(service, `SELECT FROM settlement.batches WHERE state = 'final'`);
  await service.chain.rpc('evm_setAutomine', [false]);
  const to = { approved: account(), broadcast: account() };
  const { id: broadcast } = await refund('7', to.broadcast);
  await eventually(
    () => service.query(`SELECT FROM networks.sendings WHERE id = $1 AND state = 'broadcast'`, [broadcast]),
    (rows) => rows.length > 0,
  );
  await service.processes.worker.stop();
  const { id: approved } = await refund('5', to.approved);
  const { id: pending } = await refund('3');
  const operator = new OperatorCommandRunner({ environment: service.environment, actor: 'test' });
  await operator.run('float', 'withdraw', float!.organization_id, NETWORK, unique_asset_id, '4', '--yes');
  await operator.close();
  await service.processes.api.stop();
  await service.chain.rpc('anvil_dropAllTransactions');
  const [sent] = await service.query<{ withdrawal: string; gas: Address; raw: string }>(
    `SELECT (SELECT id FROM settlement.refund_float_payouts WHERE kind = 'withdrawal') AS withdrawal,
       (SELECT sender FROM networks.sendings WHERE purpose = 'settlement' LIMIT 1) AS gas,
       (SELECT '0x' || encode(raw, 'hex') FROM networks.sending_attempts WHERE sending_id = $1) AS raw`,
    [broadcast],
  );
  const facts = {
    ...{ thief: account(), token: token.toLowerCase() as Address, float: float!.id },
    ...{ organization: float!.organization_id, account: float!.account_id, floatAddress: float!.address },
    ...{ gasAddress: sent!.gas, withdrawal: sent!.withdrawal, nextNonce: 2 },
    ...{ approved, broadcast, pending, paid },
  };
  return { service, facts, ...to, raw: sent!.raw };
}

/** @returns the id of a request of 50 that is paid */
async function paidRequest({ api, wallet, chain, seed }: TestService, asset: string): Promise<string> {
  const { id, address } = await api.post<{ id: string; address: Address }>(
    `/v1/pos/${seed.posId}/payment-request`,
    { amount: '50', unique_asset_id: asset },
  );
  await wallet.mined(await wallet.send(tokenOf(asset), address, 50n * UNIT));
  await chain.mine(UNTIL_FINAL);
  return id;
}

/** Fills the float, once its address is known. @returns the id of the first refund that it can pay */
async function funded(
  service: TestService,
  token: Address,
  refund: () => Promise<RefundDto | null>,
): Promise<string> {
  const [float] = await eventually(
    async () => {
      await refund();
      return service.query<FloatRow>('SELECT * FROM settlement.refund_floats');
    },
    ([first]) => first?.address != null,
  );
  const { wallet, chain } = service;
  await wallet.mined(await wallet.send(token, float!.address!, 100n * UNIT));
  await wallet.mined(await wallet.send(NATIVE_COIN, float!.address!, 5n * ETHER));
  await chain.mine(UNTIL_FINAL);
  return (await eventually(refund, (made) => made !== null))!.id;
}

async function mining(service: TestService, condition: string): Promise<void> {
  await eventually(
    async () => {
      await service.chain.mineWhileWaiting(1);
      return service.query(condition);
    },
    (rows) => rows.length > 0,
  );
}
