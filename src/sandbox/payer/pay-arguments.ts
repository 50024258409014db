import { parseArgs } from 'node:util';
import { CannotStart } from '../processes/child-process.js';

export interface PayArguments {
  /** A NASPIP token, the id of a payment request or checkout session, or a URL of a checkout. */
  what: string;
  /** Decimal string; absent: as asked for. */
  amount?: string;
  parts: number;
  /** Symbol of the asset to pay a checkout with; absent: the one selected already, else its first option. */
  asset?: string;
}

export const PAY_USAGE = `The sandbox wallet pays a payment request, exactly unless told otherwise:

  npm run pay -- <token, payment request id or checkout page> [--asset S] [--amount A] [--split N]

  --asset S    pay a checkout in S (like USDT), not in what is selected or its first option
  --amount A   pay A (like 12.5) instead of what is asked: less, or more
  --split N    pay in N transfers (2 to 20)`;

const MOST_PARTS = 20;

/** @throws CannotStart with how to call it */
export function readPayArguments(args: string[]): PayArguments {
  const { positionals, values } = parsed(args);
  const [what, ...more] = positionals;
  if (what === undefined) throw new CannotStart(PAY_USAGE);
  if (more.length > 0) {
    throw new CannotStart(
      'One token, payment request or checkout at a time. A token stands in quotes: its semicolons end a command.',
    );
  }
  const parts = /^\d{1,3}$/.test(values.split ?? '1') ? Number(values.split ?? '1') : 0;
  if (parts < 1 || parts > MOST_PARTS) {
    throw new CannotStart(`--split must be a whole number from 1 to ${MOST_PARTS}, not ${values.split}.`);
  }
  const { amount, asset } = values;
  return {
    what: what.trim(),
    parts,
    ...(amount !== undefined && { amount }),
    ...(asset !== undefined && { asset: asset.trim() }),
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { amount: { type: 'string' }, asset: { type: 'string' }, split: { type: 'string' } },
    });
  } catch (error) {
    throw new CannotStart(`${(error as Error).message}\n\n${PAY_USAGE}`);
  }
}
