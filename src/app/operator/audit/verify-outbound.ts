import {
  type DecodedOutboundTransaction,
  OutboundChain,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  floatKeyName,
  type OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import type { Database } from '#shared/platform/database/database.js';
import type { InvariantResult } from '../../verify-invariants.js';

const ROWS_PER_PAGE = 500;
const MAX_SHOWN_BREACHES = 20;

export interface OutboundVerificationDependencies {
  readonly database: Pick<Database, 'query'>;
  readonly chain: OutboundChain;
  readonly chains: Chains;
  readonly catalogue: NetworkCatalogue;
  readonly sender: Pick<OutboundTransactionSender, 'addressOf'>;
}

interface AttemptRow {
  readonly id: string;
  readonly number: number;
  readonly network: string;
  readonly raw: string;
  readonly nonce: number;
  readonly fees: string;
  readonly signed: string;
}

/**
 * Compares no gas limits, because an attempt that a database restore lost may have had another limit. A cancellation
 * goes to the sender itself.
 */
const SELECT_ATTEMPTS = `
SELECT s.id, a.number, s.network, '0x' || encode(a.raw, 'hex') AS raw, s.nonce,
  concat_ws(' ', a.max_fee, a.priority_fee) AS fees, concat_ws(' ', a.hash, s.sender,
  CASE WHEN a.cancels THEN concat_ws(' ', s.sender, '0x', 0)
    ELSE concat_ws(' ', s.recipient, '0x' || encode(s.data, 'hex'), s.value) END) AS signed
FROM networks.sending_attempts a JOIN networks.sendings s ON s.id = a.sending_id
WHERE (a.sending_id, a.number) > ($1, $2) AND s.network = ANY ($3)
ORDER BY a.sending_id, a.number LIMIT ${ROWS_PER_PAGE}`;

interface PayoutRow {
  readonly id: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly amount: string;
  readonly to: string;
  readonly called: string;
}

const SELECT_PAYOUTS = `
SELECT id, network, unique_asset_id, amount::text, to_address AS "to",
  concat_ws(' ', call_to, '0x' || encode(call_data, 'hex'), call_value) AS called
FROM settlement.refund_float_payouts
WHERE id > $1 AND call_to IS NOT NULL AND network = ANY ($2) ORDER BY id LIMIT ${ROWS_PER_PAGE}`;

/** With the contract call that was sent for each authorization. */
const SELECT_AUTHORIZED_CALLS = `
SELECT a.id, a.network, concat_ws(' ', a.token, a.from_address, a.to_address, a.value, a.valid_after, a.valid_before, a.nonce) AS signed,
  s.recipient AS "to", '0x' || encode(s.data, 'hex') AS data
FROM payments.authorizations a JOIN networks.sendings s ON s.id = a.id
WHERE a.id > $1 AND a.network = ANY ($2) ORDER BY a.id LIMIT ${ROWS_PER_PAGE}`;

const SELECT_FLOATS = `
SELECT id, network, organization_id, address FROM settlement.refund_floats
WHERE address IS NOT NULL AND replaced_at IS NULL AND network = ANY ($1)`;

const BEFORE_FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** SQL cannot decode transaction bytes. Skips networks and assets that are not configured. */
export async function verifyOutboundTransactions(
  parts: OutboundVerificationDependencies,
): Promise<InvariantResult[]> {
  const networks = parts.catalogue.networks().map(({ network }) => network);
  return [
    {
      name: 'signed-bytes-are-of-their-sending',
      promise: 'The signed bytes of each outbound transaction match its key, call, nonce, chain and fees.',
      breaches: await findWrongBytes(parts, networks),
    },
    {
      name: 'float-calls-pay-what-was-ordered',
      promise:
        'The call of each payout from a refund float transfers the ordered amount and asset to the ordered address.',
      breaches: await findWrongCalls(parts, networks),
    },
    {
      name: 'authorized-calls-are-what-was-signed',
      promise: 'The call of each payment by signature executes exactly what the payer signed.',
      breaches: await findWrongAuthorizedCalls(parts, networks),
    },
    {
      name: 'refund-floats-are-of-their-key',
      promise: 'The address of each refund float belongs to its key, if this process has the key.',
      breaches: await findWrongFloats(parts, networks),
    },
  ];
}

async function findWrongBytes(
  { database, chain }: OutboundVerificationDependencies,
  networks: readonly string[],
): Promise<object[]> {
  const wrong: object[] = [];
  let rows: AttemptRow[] = [];
  do {
    const { id = BEFORE_FIRST_ID, number = 0 } = rows.at(-1) ?? {};
    rows = await database.query<AttemptRow>(SELECT_ATTEMPTS, [id, number, networks]);
    for (const row of rows) {
      const { id: sending, number: attempt, network, raw } = row;
      const read = await chain.decode(network, raw);
      if (read === null || !isOfRow(read, { ...row, chainId: chain.chainId(network) }))
        wrong.push({ sending, attempt, network });
    }
  } while (rows.length === ROWS_PER_PAGE && wrong.length < MAX_SHOWN_BREACHES);
  return wrong.slice(0, MAX_SHOWN_BREACHES);
}

/** Bytes that lack a chain id, nonce or fees prove the rest of the row. */
function isOfRow(
  { hash, sender, call, ...read }: DecodedOutboundTransaction,
  {
    chainId,
    nonce,
    fees,
    signed,
  }: Pick<AttemptRow, 'nonce' | 'fees' | 'signed'> & { readonly chainId: number },
): boolean {
  const { maxFee, priorityFee } = read.fees ?? {};
  return (
    [hash, sender, call.to, call.data, call.value].join(' ') === signed &&
    (read.chainId ?? chainId) === chainId &&
    (read.nonce ?? nonce) === nonce &&
    (read.fees === null || [maxFee, priorityFee].filter((fee) => fee != null).join(' ') === fees)
  );
}

async function findWrongCalls(
  { database, chains, catalogue }: OutboundVerificationDependencies,
  networks: readonly string[],
): Promise<object[]> {
  const wrong: object[] = [];
  let rows: PayoutRow[] = [];
  do {
    rows = await database.query<PayoutRow>(SELECT_PAYOUTS, [rows.at(-1)?.id ?? BEFORE_FIRST_ID, networks]);
    for (const { id, network, uniqueAssetId, amount, to, called } of rows) {
      const asset = catalogue.asset(uniqueAssetId);
      if (asset === undefined) continue;
      const derived = chains.require(network, 'transferPlanning').encode(asset, to, BigInt(amount));
      if ([derived.to, derived.data, derived.value].join(' ') !== called) wrong.push({ id, network, called });
    }
  } while (rows.length === ROWS_PER_PAGE && wrong.length < MAX_SHOWN_BREACHES);
  return wrong.slice(0, MAX_SHOWN_BREACHES);
}

async function findWrongAuthorizedCalls(
  { database, chains }: OutboundVerificationDependencies,
  networks: readonly string[],
): Promise<object[]> {
  const wrong: object[] = [];
  let rows: { id: string; network: string; signed: string; to: string; data: string }[] = [];
  do {
    rows = await database.query(SELECT_AUTHORIZED_CALLS, [rows.at(-1)?.id ?? BEFORE_FIRST_ID, networks]);
    for (const { id, network, signed, to, data } of rows) {
      const call = chains.require(network, 'authorizedTransfers').decode({ to, data, value: 0n });
      const { from, to: payee, value, validAfter, validBefore, nonce } = call?.authorization ?? {};
      const sent = [call?.token, from, payee, value, validAfter, validBefore, nonce].join(' ');
      if (sent !== signed) wrong.push({ id, network, signed });
    }
  } while (rows.length === ROWS_PER_PAGE && wrong.length < MAX_SHOWN_BREACHES);
  return wrong.slice(0, MAX_SHOWN_BREACHES);
}

async function findWrongFloats(
  { database, sender }: OutboundVerificationDependencies,
  networks: readonly string[],
): Promise<object[]> {
  const floats = await database.query<{
    id: string;
    network: string;
    organizationId: string;
    address: string;
  }>(SELECT_FLOATS, [networks]);
  return floats
    .filter(({ network, organizationId, address }) => {
      const held = addressIfHeld(sender, network, floatKeyName(organizationId));
      return held !== null && held !== address;
    })
    .slice(0, MAX_SHOWN_BREACHES);
}

function addressIfHeld(
  sender: Pick<OutboundTransactionSender, 'addressOf'>,
  network: string,
  key: string,
): string | null {
  try {
    return sender.addressOf(network, key);
  } catch {
    return null;
  }
}
