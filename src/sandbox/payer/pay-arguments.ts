import { CannotStart } from '../processes/child-process.js';
import { readArguments, wholeNumber } from '../terminal/run-program.js';

export interface PayArguments {
  /** A NASPIP token, the id of a payment request or checkout session, or a URL of a checkout. */
  what: string;
  /** Decimal string in whole units of the asset paid with; absent: the requested amount. */
  amount?: string;
  parts: number;
  /** Symbol of the asset to pay with; absent: the requested one, or a checkout's first option. */
  asset?: string;
  /** Pays with the network's native coin. Never together with `asset`. */
  native?: true;
  /** Pays through the payer contract, all parts in one transaction. */
  fromContract?: true;
  /** Another way than a transfer of the wallet's own. */
  by?: PayingWay;
  /** Sends once the chain's clock has moved on by so many seconds. */
  afterSeconds?: number;
}

/**
 * `signature`: the wallet signs, and the service sends (EIP-3009). `x402`: the same by one HTTP header. `button`: a person presses
 * the shop's button, on a page that is served meanwhile.
 */
export const PAYING_WAYS = ['signature', 'x402', 'button'] as const;
export type PayingWay = (typeof PAYING_WAYS)[number];

export const PAY_USAGE = `The sandbox wallet pays a payment request, exactly unless an option says otherwise:

  npm run pay -- <token, payment request id or checkout page> [options]

  --asset S        pay in S (like USDT); where that is not what is asked, it is the wrong asset, on purpose
  --native         pay in the network's native coin (the same as --asset ETH)
  --amount A       pay A (like 12.5) instead of what is asked: less, or more
  --split N        pay in N transfers (2 to 20)
  --from-contract  pay through a contract, as smart wallets and exchanges do; with --split all in one transaction
  --after SECONDS  send so much later by the chain's clock (1 to 86400), to pay late
  --by WAY         signature: sign what the service then sends; x402: the same by an HTTP header; button: open the shop's
                   button on a page of this machine, and wait until somebody has paid by it. Exactly, and a checkout`;

const OPTIONS = {
  amount: { type: 'string' },
  asset: { type: 'string' },
  native: { type: 'boolean' },
  split: { type: 'string' },
  'from-contract': { type: 'boolean' },
  after: { type: 'string' },
  by: { type: 'string' },
} as const;
const ONLY_OF_TRANSFERS = ['amount', 'native', 'split', 'from-contract', 'after'] as const;
const MAX_PARTS = 20;
const MAX_SECONDS = 86_400;

/** @throws CannotStart with the usage */
export function readPayArguments(args: string[]): PayArguments {
  const { positionals, values } = readArguments(args, OPTIONS, PAY_USAGE);
  const [what, ...more] = positionals;
  if (what === undefined) throw new CannotStart(PAY_USAGE);
  if (more.length > 0) {
    throw new CannotStart(
      'One token, payment request or checkout at a time. A token stands in quotes: its semicolons end a command.',
    );
  }
  const { amount, asset, native, split, after } = values;
  if (native === true && asset !== undefined) {
    throw new CannotStart('--native names what to pay with, and so does --asset: use one of them.');
  }
  const by = PAYING_WAYS.find((way) => way === values.by);
  if (values.by !== undefined && by === undefined) {
    throw new CannotStart(`--by must be one of ${PAYING_WAYS.join(', ')}, not ${values.by}.`);
  }
  const beside = by && ONLY_OF_TRANSFERS.find((option) => values[option] !== undefined);
  if (beside !== undefined)
    throw new CannotStart(`--by ${by} pays exactly and at once: leave out --${beside}.`);
  return {
    ...(by !== undefined && { by }),
    what: what.trim(),
    parts: wholeNumber('--split', split ?? '1', { min: 1, max: MAX_PARTS }),
    ...(amount !== undefined && { amount }),
    ...(asset !== undefined && { asset: asset.trim() }),
    ...(native === true && { native }),
    ...(values['from-contract'] === true && { fromContract: true }),
    ...(after !== undefined && {
      afterSeconds: wholeNumber('--after', after, { min: 1, max: MAX_SECONDS }),
    }),
  };
}
