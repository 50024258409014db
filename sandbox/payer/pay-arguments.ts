import { CannotStart } from '../processes/child-process.js';
import { readArguments, wholeNumber } from '../terminal/run-program.js';

export interface PayArguments {
  /** A NASPIP token, the id of a payment request or checkout session, or a URL of a checkout. */
  what: string;
  /** Decimal string in whole units of the asset to pay with (default: the requested amount). */
  amount?: string;
  parts: number;
  /** Symbol of the asset to pay with (default: the requested asset, or a checkout's first option). */
  asset?: string;
  /** Pays with the network's native coin. Never together with `asset`. */
  native?: true;
  /** Pays through the payer contract, all parts in one transaction. */
  fromContract?: true;
  by?: PayingWay;
  /** Moves the sandbox's clock forward by this many seconds before sending. */
  afterSeconds?: number;
  bitcoin?: BitcoinOptions;
}

export interface BitcoinOptions {
  /** Satoshi per virtual byte. */
  feeRate?: number;
  /** Replaces the payment after the service has seen it. `elsewhere` pays the wallet itself. */
  replace?: 'elsewhere' | 'same';
  /** All parts are outputs of one transaction. */
  together?: true;
}

/**
 * - `signature`: the wallet signs, and the service sends (EIP-3009).
 * - `x402`: like `signature`, with an HTTP header.
 * - `button`: a person presses the shop's button, on a locally served page.
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
  --after SECONDS  move the sandbox's clock ahead first (1 to 86400), to pay late
  --fee N          in bitcoin: pay N satoshi for each byte (1 to 500); what pays 1 waits for an hour for its block
  --replace WHERE  in bitcoin: once it was seen, replace it by a higher fee: elsewhere, to the wallet itself, or to the same
  --outputs N      in bitcoin: pay in N outputs of one transaction (2 to 20)
  --by WAY         bitcoin: the same as --asset BTC; signature: sign what the service then sends; x402: the same by an HTTP header; button: open the shop's
                   button on a page of this machine, and wait until somebody has paid by it. Exactly, and a checkout`;

const OPTIONS = {
  amount: { type: 'string' },
  asset: { type: 'string' },
  native: { type: 'boolean' },
  split: { type: 'string' },
  'from-contract': { type: 'boolean' },
  after: { type: 'string' },
  by: { type: 'string' },
  fee: { type: 'string' },
  replace: { type: 'string' },
  outputs: { type: 'string' },
} as const;
const BITCOIN = 'BTC';
const IN_BITCOIN = ['fee', 'replace', 'outputs'] as const;
const PLACES = ['elsewhere', 'same'] as const;
const ONLY_OF_TRANSFERS = ['amount', 'native', 'split', 'from-contract', 'after', ...IN_BITCOIN] as const;
const MAX_PARTS = 20;
const MAX_FEE_RATE = 500;
const MAX_SECONDS = 86_400;

/** @throws CannotStart with the usage */
export function readPayArguments(args: string[]): PayArguments {
  const { positionals, values } = readArguments(args, OPTIONS, PAY_USAGE);
  const [what, ...more] = positionals;
  if (what === undefined) throw new CannotStart(PAY_USAGE);
  if (more.length > 0) {
    throw new CannotStart(
      'Pass one token, payment request or checkout at a time. Quote a token, because a semicolon ends a ' +
        'shell command.',
    );
  }
  const { amount, native, split, after, outputs } = values;
  const asset = values.by === 'bitcoin' ? bitcoinAlone(values.asset) : values.asset;
  if (native === true && asset !== undefined) {
    throw new CannotStart('--native names what to pay with, and so does --asset: use one of them.');
  }
  const by = PAYING_WAYS.find((way) => way === values.by);
  if (values.by !== undefined && values.by !== 'bitcoin' && by === undefined) {
    throw new CannotStart(`--by must be one of bitcoin, ${PAYING_WAYS.join(', ')}, not ${values.by}.`);
  }
  if (split !== undefined && outputs !== undefined)
    throw new CannotStart('--split pays in several transactions, --outputs in one: use one of them.');
  const beside = by && ONLY_OF_TRANSFERS.find((option) => values[option] !== undefined);
  if (beside !== undefined)
    throw new CannotStart(`--by ${by} pays the exact amount immediately: omit --${beside}.`);
  return {
    ...(by !== undefined && { by }),
    what: what.trim(),
    parts:
      outputs === undefined
        ? wholeNumber('--split', split ?? '1', { min: 1, max: MAX_PARTS })
        : wholeNumber('--outputs', outputs, { min: 2, max: MAX_PARTS }),
    ...bitcoinOptions(values),
    ...(amount !== undefined && { amount }),
    ...(asset !== undefined && { asset: asset.trim() }),
    ...(native === true && { native }),
    ...(values['from-contract'] === true && { fromContract: true }),
    ...(after !== undefined && {
      afterSeconds: wholeNumber('--after', after, { min: 1, max: MAX_SECONDS }),
    }),
  };
}

/** @throws CannotStart if another asset is named */
function bitcoinAlone(asset = BITCOIN): string {
  if (asset.trim().toUpperCase() === BITCOIN) return BITCOIN;
  throw new CannotStart(`--by bitcoin pays in ${BITCOIN}, and --asset names ${asset}: use one of them.`);
}

/** @throws CannotStart */
function bitcoinOptions(values: { fee?: string; replace?: string; outputs?: string }): {
  bitcoin?: BitcoinOptions;
} {
  const { fee, outputs } = values;
  if (IN_BITCOIN.every((option) => values[option] === undefined)) return {};
  const replace = PLACES.find((place) => place === values.replace);
  if (values.replace !== undefined && replace === undefined)
    throw new CannotStart(`--replace must be one of ${PLACES.join(', ')}, not ${values.replace}.`);
  return {
    bitcoin: {
      ...(fee !== undefined && { feeRate: wholeNumber('--fee', fee, { min: 1, max: MAX_FEE_RATE }) }),
      ...(replace !== undefined && { replace }),
      ...(outputs !== undefined && { together: true as const }),
    },
  };
}
