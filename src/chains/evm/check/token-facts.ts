import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import {
  type EndpointAnswer,
  type NetworkCheckFinding,
  type CheckResult,
  okResult,
  warningResult,
  wrongResult,
} from '#contexts/networks/domain/finding.js';

/** Amounts in smallest units. */
export interface TransferTestResult {
  readonly moved: boolean;
  readonly amount: bigint;
  /** The increase of the recipient's balance is `arrived`. */
  readonly sent: bigint;
  readonly arrived: bigint;
}

export interface BalanceTestResult {
  /** Balance in the newest block, in smallest units. `later` is the balance in a simulated block a year later. */
  readonly now: bigint;
  readonly later: bigint;
}

/** A field is null if the contract gives no valid answer. */
export interface TokenFacts {
  readonly hasCode: boolean;
  readonly decimals: number | null;
  readonly symbol: string | null;
  /** Tests several holders, because some may be exempt from fees that others pay. */
  readonly transfers: EndpointAnswer<readonly TransferTestResult[]>;
  readonly balance: EndpointAnswer<BalanceTestResult>;
}

/** The fee on a smaller amount could round to zero. */
const MIN_CONCLUSIVE_AMOUNT = 10_000n;

export function tokenFindings(asset: Asset, facts: TokenFacts): NetworkCheckFinding[] {
  const { symbol, token, decimals } = asset;
  if (!facts.hasCode || facts.decimals === null) {
    const says = facts.hasCode
      ? `The contract at ${token} returns no decimals, so it is not an ERC-20 token.`
      : `There is no contract at ${token}.`;
    return [{ about: symbol, ...wrongResult('contract', says, 'Correct the token address.') }];
  }
  const results = [
    okResult('contract', `There is a token at ${token}.`),
    facts.decimals === decimals
      ? okResult('decimals', `It has ${decimals} decimals.`)
      : wrongResult(
          'decimals',
          `It has ${facts.decimals} decimals, not the configured ${decimals}.`,
          'Correct decimals. Otherwise every amount is wrong.',
        ),
    checkSymbol(asset, facts),
    checkTransfer(asset, facts),
    checkBalance(asset, facts),
  ];
  return results.map((result) => ({ about: symbol, ...result }));
}

function checkSymbol({ symbol }: Asset, facts: TokenFacts): CheckResult {
  if (facts.symbol === symbol) return okResult('symbol', `Its symbol is ${symbol}.`);
  const calls = facts.symbol === null ? 'It returns no symbol' : `Its symbol is "${facts.symbol}"`;
  const todo = 'Make sure that this is the intended token.';
  return warningResult('symbol', `${calls}, but it is configured as ${symbol}.`, todo);
}

function checkTransfer(asset: Asset, { transfers }: TokenFacts): CheckResult {
  const unchecked = (reason: string) =>
    warningResult(
      'transfer',
      `Not checked: ${reason}`,
      'Use the token only if you know that it charges no transfer fee.',
    );
  if ('refused' in transfers) return unchecked(transfers.refused);
  const unit = (amount: bigint) => `${formatAmount(amount, asset.decimals)} ${asset.symbol}`;
  const moved = transfers.answer.filter((trial) => trial.moved);
  const unequal = moved.find(({ amount, sent, arrived }) => sent !== amount || arrived !== amount);
  if (unequal !== undefined) {
    const { amount, sent, arrived } = unequal;
    const says = `A transfer of ${unit(amount)} deducts ${unit(sent)} and delivers ${unit(arrived)}.`;
    const todo = 'Remove the token. Tokens that charge transfer fees or round amounts cannot be collected.';
    return wrongResult('transfer', says, todo);
  }
  if (moved.length === 0 && transfers.answer.length > 0) {
    const says = `None of ${transfers.answer.length} holders could transfer their balance.`;
    return wrongResult('transfer', says, 'Find out why. The token may be paused or restricted.');
  }
  const largest = moved.reduce((most, { amount }) => (amount > most ? amount : most), 0n);
  if (largest < MIN_CONCLUSIVE_AMOUNT) {
    return unchecked('no holder with a large enough balance was found.');
  }
  const says = `Simulated transfers of ${moved.length} holder(s) arrived in full, up to ${unit(largest)}.`;
  return okResult('transfer', says);
}

function checkBalance({ decimals, symbol }: Asset, { balance }: TokenFacts): CheckResult {
  if ('refused' in balance) {
    const todo = 'Use the token only if you know that only transfers change balances.';
    return warningResult('balance', `Not checked: ${balance.refused}`, todo);
  }
  const { now, later } = balance.answer;
  if (now === later) return okResult('balance', 'A balance does not change in a simulated year.');
  const unit = (amount: bigint) => formatAmount(amount, decimals);
  const says = `A balance of ${unit(now)} ${symbol} becomes ${unit(later)} in a simulated year.`;
  const todo = 'Remove the token. Tokens whose balances change without transfers cannot be collected.';
  return wrongResult('balance', says, todo);
}
