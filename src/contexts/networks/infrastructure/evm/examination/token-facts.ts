import { formatAmount } from '../../../../../shared/kernel/amount.js';
import type { Asset } from '../../../../../shared/kernel/asset.js';
import type { Finding, Answer } from '../../../domain/finding.js';

/** What a simulated transfer moved of nearly all that a holder has. Smallest units. */
export interface TransferTrial {
  /** Whether the token said that it moved. */
  readonly moved: boolean;
  readonly amount: bigint;
  /** By how much the holder's balance fell and the recipient's rose. */
  readonly sent: bigint;
  readonly arrived: bigint;
}

/** A balance that nobody moved. */
export interface BalanceTrial {
  /** In the newest block, and in a simulated one a year later. Smallest units. */
  readonly now: bigint;
  readonly later: bigint;
}

/** What a token's contract answered. `null`: nothing of that kind. */
export interface TokenFacts {
  readonly hasCode: boolean;
  readonly decimals: number | null;
  readonly symbol: string | null;
  /** Of several holders, since some may be exempt from what others pay. */
  readonly transfers: Answer<readonly TransferTrial[]>;
  readonly balance: Answer<BalanceTrial>;
}

/** An amount below it might be taken a share of that rounds to nothing. */
const LEAST_TELLING_AMOUNT = 10_000n;

export function tokenFindings(asset: Asset, facts: TokenFacts): Finding[] {
  const { symbol, token, decimals } = asset;
  if (!facts.hasCode || facts.decimals === null) {
    const says = facts.hasCode
      ? `The contract at ${token} does not tell decimals: it is no ERC-20 token.`
      : `There is no contract at ${token}.`;
    return [{ about: symbol, check: 'contract', verdict: 'wrong', says, todo: 'Correct its address.' }];
  }
  const findings: Omit<Finding, 'about'>[] = [
    { check: 'contract', verdict: 'ok', says: `There is a token at ${token}.` },
    facts.decimals === decimals
      ? { check: 'decimals', verdict: 'ok', says: `It has ${decimals} decimals.` }
      : {
          check: 'decimals',
          verdict: 'wrong',
          says: `It has ${facts.decimals} decimals, not the configured ${decimals}.`,
          todo: 'Correct decimals: every amount would be wrong.',
        },
    symbolFinding(asset, facts),
    transferFinding(asset, facts),
    balanceFinding(asset, facts),
  ];
  return findings.map((finding) => ({ about: symbol, ...finding }));
}

function symbolFinding({ symbol }: Asset, facts: TokenFacts): Omit<Finding, 'about'> {
  const check = 'symbol';
  if (facts.symbol === symbol) return { check, verdict: 'ok', says: `It calls itself ${symbol}.` };
  const says =
    facts.symbol === null
      ? `It tells no symbol; it is configured as ${symbol}.`
      : `It calls itself "${facts.symbol}"; it is configured as ${symbol}.`;
  return { check, verdict: 'warning', says, todo: 'Make sure that this is the token you mean.' };
}

function transferFinding(asset: Asset, { transfers }: TokenFacts): Omit<Finding, 'about'> {
  const check = 'transfer';
  const unchecked = (reason: string): Omit<Finding, 'about'> => ({
    check,
    verdict: 'warning',
    says: `Not checked: ${reason}`,
    todo: 'Use it only if you know that it takes no fee on transfers.',
  });
  if ('refused' in transfers) return unchecked(transfers.refused);
  const unit = (amount: bigint) => `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
  const moved = transfers.answer.filter((trial) => trial.moved);
  const unequal = moved.find(({ amount, sent, arrived }) => sent !== amount || arrived !== amount);
  if (unequal !== undefined) {
    const { amount, sent, arrived } = unequal;
    return {
      check,
      verdict: 'wrong',
      says: `Of a transfer of ${unit(amount)}, ${unit(arrived)} arrives and ${unit(sent)} leaves.`,
      todo: 'Take it out: tokens that keep a share of a transfer, or count otherwise, cannot be collected.',
    };
  }
  if (moved.length === 0 && transfers.answer.length > 0) {
    const says = `None of ${transfers.answer.length} holders could transfer its balance.`;
    const todo = 'Find out why: the token may be paused, or restricted to some.';
    return { check, verdict: 'wrong', says, todo };
  }
  const largest = moved.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  if (largest < LEAST_TELLING_AMOUNT)
    return unchecked('no holder with a balance that tells anything was found.');
  const says = `Simulated transfers by ${moved.length} of its holders arrived whole, up to ${unit(largest)}.`;
  return { check, verdict: 'ok', says };
}

function balanceFinding({ decimals, symbol }: Asset, { balance }: TokenFacts): Omit<Finding, 'about'> {
  const check = 'balance';
  if ('refused' in balance) {
    const todo = 'Use it only if you know that balances change by transfers alone.';
    return { check, verdict: 'warning', says: `Not checked: ${balance.refused}`, todo };
  }
  const { now, later } = balance.answer;
  if (now !== later) {
    const says = `A balance of ${formatAmount(now, decimals)} ${symbol} becomes ${formatAmount(later, decimals)} in a simulated year.`;
    const todo = 'Take it out: tokens whose balances change without a transfer cannot be collected.';
    return { check, verdict: 'wrong', says, todo };
  }
  return { check, verdict: 'ok', says: 'A balance stands still for a simulated year.' };
}
