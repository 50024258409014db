import { encodeFunctionData, parseAbi } from 'viem';
import { type Facts, NETWORK, UNIT } from './stopped-service.js';

const ERC20 = parseAbi(['function transfer(address, uint256)']);
const ALL = 90n * UNIT;

export const transfer = ({ thief }: Facts, amount = ALL) =>
  encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [thief, amount] });

export const bytes = (data: string) => `'\\x${data.slice(2)}'`;

export const call = (to: string, data: string, value: bigint, id: string) =>
  `UPDATE settlement.refund_float_payouts SET call_to = '${to}', call_data = ${bytes(data)}, call_value = ${value},
     call_gas_limit = 100000 WHERE id = '${id}'`;

interface Put {
  readonly id?: string;
  readonly sender: string;
  readonly key: string;
  readonly purpose: string;
  readonly to: string;
  readonly data?: string;
  readonly value?: bigint;
}

export const sending = (
  { nextNonce }: Facts,
  { id = 'gen_random_uuid()', sender, key, purpose, to, data = '0x', value = 0n }: Put,
) => `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
  VALUES (${id}, '${NETWORK}', '${sender}', '${key}', ${nextNonce}, '${to}', ${bytes(data)}, ${value}, 100000,
    1000000000000, '${purpose}')`;

export const floatKey = ({ organization }: Facts) => `float:${organization}`;

/** @param id in SQL */
export const payout = (
  { float, thief, token, withdrawal }: Facts,
  id: string,
  kind: string,
  amount: bigint,
) => `
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding, unique_asset_id,
    currency, decimals, amount, to_address, gas_reserved, ordered_by, from_allotment)
  SELECT ${id}, '${float}', organization_id, account_id, network, '${kind}', '${token}', unique_asset_id, currency, decimals,
    ${amount}, '${thief}', 0, 'thief', false FROM settlement.refund_float_payouts WHERE id = '${withdrawal}';
UPDATE settlement.refund_float_holdings SET reserved = reserved + ${amount}
  WHERE float_id = '${float}' AND holding = '${token}'`;

/** An event like one of that aggregate, with other data. */
export const event = (from: string, id: string, changes: string) => `
INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT gen_random_uuid(), type, '${id}', organization_id, account_id, platform.now(), data || jsonb_build_object(${changes})
  FROM platform.events WHERE aggregate_id = '${from}' ORDER BY position DESC LIMIT 1`;

/** The refund that waits for its address, approved with the thief's. */
export const claimed = ({ pending, thief, floatAddress }: Facts) => `
UPDATE settlement.refunds SET to_address = '${thief}', claimed_at = platform.now(), status = 'processing',
  approved_at = platform.now(), approved_by = 'thief', float_address = '${floatAddress}' WHERE id = '${pending}'`;

export const FORGED = '019a0000-0000-7000-8000-00000000dead';

/** The chain has made this of the refund that is with the nodes. */
export const outcome = (state: string, succeeded: boolean) => (f: Facts) =>
  `UPDATE networks.sendings SET state = '${state}', mined_block = 1, mined_succeeded = ${succeeded}, gas_cost = 0,
     mined_hash = (SELECT hash FROM networks.sending_attempts WHERE sending_id = '${f.broadcast}')
   WHERE id = '${f.broadcast}'`;

export function valueOf(column: string, { thief, withdrawal }: Facts): string {
  const values: Record<string, string> = {
    ...{ amount: '90000000', float_id: 'gen_random_uuid()', kind: `'withdrawal'`, nonce: '7', key: `'gas'` },
    ...{ fee_ceiling: '9000000000000', currency: `'ETH'`, ordered_by: `'thief'`, holding: `'native'` },
  };
  return values[column] ?? `'${column === 'withdrawal' ? withdrawal : thief}'`;
}
