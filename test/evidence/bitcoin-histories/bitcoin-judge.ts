import type { TestService } from '../../support/service.js';
import { countedOf, MINIMUM, outcomeOf, type AskedFor, type ChainBlock, type Made } from './bitcoin-model.js';

export interface Facts {
  readonly requests: readonly AskedFor[];
  readonly made: readonly Made[];
  readonly blocks: readonly ChainBlock[];
  /** The clock of the chain. */
  readonly clock: number;
}

/** Sentences of how the service differs from the model, by request id. */
export type Differences = ReadonlyMap<string, string>;

type Read = Pick<TestService, 'query'>;

/** Amounts in satoshi, smallest first, separated by spaces. */
interface Recorded {
  readonly id: string;
  readonly status: string;
  readonly received: string;
  readonly isConfirmed: boolean;
  readonly paymentsIn: string;
  readonly deposits: string;
  /** Deposits below the asset's minimum: they wait for the end of their day. */
  readonly gathered: string;
  readonly delivered: string;
  readonly elsewhere: string;
}

const posted = (
  type: string,
) => `COALESCE((SELECT string_agg(t.gross_amount::text, ' ' ORDER BY t.gross_amount)
  FROM ledger.transactions t WHERE t.payment_request_id = r.id AND t.type = '${type}' AND t.status = 'completed'
    AND t.to_type = 'settlement_address'), '')`;
const booked = (which: string) => `COALESCE((SELECT sum(e.amount) FROM ledger.entries e
  JOIN ledger.transactions t ON t.id = e.transaction_id
  WHERE t.payment_request_id = r.id AND e.ledger_account ${which} 'delivered'), 0)::text`;
const RECORDED = `
  SELECT r.id, r.status, r.received_amount::text AS received, r.confirmed_at IS NOT NULL AS "isConfirmed",
    ${posted('payment_in')} AS "paymentsIn", ${posted('deposit')} AS deposits,
    COALESCE((SELECT string_agg(t.amount::text, ' ' ORDER BY t.amount) FROM payments.transfers t
      WHERE t.payment_request_id = r.id AND t.canonical AND t.final AND NOT t.counted AND t.deposited_at IS NULL
        AND t.gathered_on IS NOT NULL), '') AS gathered,
    ${booked('=')} AS delivered, ${booked('<>')} AS elsewhere
  FROM payments.payment_requests r WHERE r.id = ANY($1)`;

async function recordedOf({ query }: Read, { requests }: Facts): Promise<ReadonlyMap<string, Recorded>> {
  const rows = await query<Recorded>(RECORDED, [requests.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Sums that have been received so far are compared, of requests that are open. */
export async function differencesSoFar(service: Read, facts: Facts): Promise<Differences> {
  const recorded = await recordedOf(service, facts);
  return differing(facts, (request) => {
    const { status, received } = recorded.get(request.id)!;
    if (['completed', 'overpaid', 'underpaid'].includes(status)) return null;
    const counted = countedOf(request, facts.made, facts.blocks, facts.clock);
    const isSeen = counted === 0n || status === 'processing';
    return received === String(counted) && isSeen
      ? null
      : `${status} ${received}, and counted should be ${counted}`;
  });
}

/** Status, sums and ledger once all is final. */
export async function differencesAtEnd(service: Read, facts: Facts): Promise<Differences> {
  const recorded = await recordedOf(service, facts);
  return differing(facts, (request) => {
    const { status, received, deposits } = outcomeOf(request, facts.made, facts.blocks);
    const [large, small] = [
      deposits.filter((each) => each >= MINIMUM),
      deposits.filter((each) => each < MINIMUM),
    ];
    const delivered = [received, ...large].reduce((sum, each) => sum + each, 0n);
    const should: Recorded = {
      id: request.id,
      status,
      received: String(received),
      isConfirmed: status !== 'expired',
      paymentsIn: received === 0n ? '' : String(received),
      deposits: large.join(' '),
      gathered: small.join(' '),
      delivered: String(delivered),
      elsewhere: String(-delivered),
    };
    const is = recorded.get(request.id)!;
    const keys = (Object.keys(should) as (keyof Recorded)[]).filter((key) => is[key] !== should[key]);
    return keys.length === 0
      ? null
      : keys.map((key) => `${key} is ${is[key]}, should be ${should[key]}`).join('; ');
  });
}

function differing({ requests }: Facts, differenceOf: (request: AskedFor) => string | null): Differences {
  return new Map(
    requests.flatMap((request) => {
      const difference = differenceOf(request);
      return difference === null ? [] : [[request.id, difference] as const];
    }),
  );
}
