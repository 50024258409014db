import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import {
  type Answer,
  type Finding,
  type Judgement,
  ok,
  warning,
  wrong,
} from '#contexts/networks/domain/finding.js';

/** A simulated transfer of nearly all that a holder has. Smallest units. */
export interface TransferTrial {
  /** True where the token answered that it moved. */
  readonly moved: boolean;
  readonly amount: bigint;
  /** The fall of the holder's balance and the rise of the recipient's. */
  readonly sent: bigint;
  readonly arrived: bigint;
}

/** A balance that nobody moved. */
export interface BalanceTrial {
  /** In the newest block, and in a simulated one a year later. Smallest units. */
  readonly now: bigint;
  readonly later: bigint;
}

/** The answers of a token's contract. `null`: nothing of that kind. */
export interface TokenFacts {
  readonly hasCode: boolean;
  readonly decimals: number | null;
  readonly symbol: string | null;
  /** Several holders are tried, since some may be exempt from what others pay. */
  readonly transfers: Answer<readonly TransferTrial[]>;
  readonly balance: Answer<BalanceTrial>;
}

/** An amount below it might be taken a share of that rounds to nothing. */
const MIN_TELLING_AMOUNT = 10_000n;

export function tokenFindings(asset: Asset, facts: TokenFacts): Finding[] {
  const { symbol, token, decimals } = asset;
  if (!facts.hasCode || facts.decimals === null) {
    const says = facts.hasCode
      ? `The contract at ${token} does not tell decimals: it is no ERC-20 token.`
      : `There is no contract at ${token}.`;
    return [{ about: symbol, ...wrong('contract', says, 'Correct its address.') }];
  }
  const judgements = [
    ok('contract', `There is a token at ${token}.`),
    facts.decimals === decimals
      ? ok('decimals', `It has ${decimals} decimals.`)
      : wrong(
          'decimals',
          `It has ${facts.decimals} decimals, not the configured ${decimals}.`,
          'Correct decimals: every amount would be wrong.',
        ),
    symbolJudgement(asset, facts),
    transferJudgement(asset, facts),
    balanceJudgement(asset, facts),
  ];
  return judgements.map((judgement) => ({ about: symbol, ...judgement }));
}

function symbolJudgement({ symbol }: Asset, facts: TokenFacts): Judgement {
  if (facts.symbol === symbol) return ok('symbol', `It calls itself ${symbol}.`);
  const calls = facts.symbol === null ? 'tells no symbol' : `calls itself "${facts.symbol}"`;
  const todo = 'Make sure that this is the token you mean.';
  return warning('symbol', `It ${calls}; it is configured as ${symbol}.`, todo);
}

function transferJudgement(asset: Asset, { transfers }: TokenFacts): Judgement {
  const unchecked = (reason: string) =>
    warning(
      'transfer',
      `Not checked: ${reason}`,
      'Use it only if you know that it takes no fee on transfers.',
    );
  if ('refused' in transfers) return unchecked(transfers.refused);
  const unit = (amount: bigint) => `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
  const moved = transfers.answer.filter((trial) => trial.moved);
  const unequal = moved.find(({ amount, sent, arrived }) => sent !== amount || arrived !== amount);
  if (unequal !== undefined) {
    const { amount, sent, arrived } = unequal;
    const says = `Of a transfer of ${unit(amount)}, ${unit(arrived)} arrives and ${unit(sent)} leaves.`;
    const todo =
      'Take it out: tokens that keep a share of a transfer, or count otherwise, cannot be collected.';
    return wrong('transfer', says, todo);
  }
  if (moved.length === 0 && transfers.answer.length > 0) {
    const says = `None of ${transfers.answer.length} holders could transfer its balance.`;
    return wrong('transfer', says, 'Find out why: the token may be paused, or restricted to some.');
  }
  const largest = moved.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  if (largest < MIN_TELLING_AMOUNT) {
    return unchecked('no holder with a balance that tells anything was found.');
  }
  const says = `Simulated transfers by ${moved.length} of its holders arrived whole, up to ${unit(largest)}.`;
  return ok('transfer', says);
}

function balanceJudgement({ decimals, symbol }: Asset, { balance }: TokenFacts): Judgement {
  if ('refused' in balance) {
    const todo = 'Use it only if you know that balances change by transfers alone.';
    return warning('balance', `Not checked: ${balance.refused}`, todo);
  }
  const { now, later } = balance.answer;
  if (now === later) return ok('balance', 'A balance stands still for a simulated year.');
  const unit = (amount: bigint) => formatAmount(amount, decimals);
  const says = `A balance of ${unit(now)} ${symbol} becomes ${unit(later)} in a simulated year.`;
  const todo = 'Take it out: tokens whose balances change without a transfer cannot be collected.';
  return wrong('balance', says, todo);
}
