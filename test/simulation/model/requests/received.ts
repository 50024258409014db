import type { Moved } from '../chain/chain.js';
import { decimal, units, listOf, objectOf, textOf, type Json, lower } from '../known/values.js';
import type { Known } from '../known/known.js';
import { deadlineOf } from './outlook.js';
import type { PaymentRequest } from './payment-request.js';
import { chainOf, isAtRest, isOpen, outlookFor, type Moment } from './status.js';

export function takeReceived(request: PaymentRequest, record: Json, moment: Moment, known: Known): void {
  if (isOpen(request)) return;
  const selected = objectOf(record.selected);
  judgeSum(request, record.received_amount, moment, known);
  judgeSum(request, selected.received_amount, moment, known);
  if (record.transfers !== undefined) judgeTransfers(request, record, moment, known);
}

function judgeSum(request: PaymentRequest, shown: unknown, moment: Moment, known: Known): void {
  const { about } = request;
  if (shown === undefined) return;
  if (request.selections.length === 0) {
    known.expect(units(shown, 18) === 0n, 'received_amount', about, ['0 before an asset is selected', shown]);
    return;
  }
  const received = outlookFor(request, moment, known)!.received;
  const decimals = [...new Set(request.selections.map(({ asset }) => asset.fact.decimals))];
  const fits = decimals.some((each) => {
    const amount = units(shown, each);
    return amount !== null && received.has(amount);
  });
  const expected = [...received].map((amount) => decimal(amount, decimals[0]!)).join(' or ');
  known.expect(fits, 'received_amount allowed by the chain', about, [expected, shown]);
}

function judgeTransfers(request: PaymentRequest, record: Json, { sentAt }: Moment, known: Known): void {
  const { about } = request;
  const chain = chainOf(request);
  if (chain === undefined) return;
  const unused = [...new Set(request.selections.map(({ address }) => address))].flatMap((address) => [
    ...chain.movedTo(address),
  ]);
  const deadlines = request.expiry
    .map(({ from, to }) => [from, to].map((end) => deadlineOf(request.selections[0]!, end)))
    .flat();
  const first = Math.min(...deadlines);
  const last = Math.max(...deadlines);
  const counted: Moved[] = [];
  for (const each of listOf(record.transfers).map(objectOf)) {
    const index = bestMatch(unused, each, request, known);
    if (index === -1) {
      known.differ('every transfer shown is one of the chain', about, ['a transfer to its address', each]);
      continue;
    }
    const [moved] = unused.splice(index, 1) as [Moved];
    if (each.counted === true) {
      counted.push(moved);
      known.expect(moved.block.time <= last, 'a transfer counts until the window and its grace end', about, [
        last,
        moved.block.time,
      ]);
    }
    judgeDepth(moved, each, about, known);
    if (!isAtRest(known, sentAt)) continue;
    const isFinal = chain.isFinal(moved.block, chain.head);
    known.expect(each.final === isFinal || chain.isDeep, 'final at rest', about, [isFinal, each]);
  }
  if (!isAtRest(known, sentAt)) return;
  const missing = unused.filter(
    (moved) =>
      chain.isOn(moved.block, chain.head) &&
      moved.block.time <= first &&
      moved.transfer.way !== 'inner' &&
      isSelected(request, moved),
  );
  for (const moved of missing) {
    known.differ('every counting transfer is shown', about, [moved.transfer, 'none at rest']);
  }
}

function bestMatch(unused: readonly Moved[], shown: Json, request: PaymentRequest, known: Known): number {
  const hash = lower(shown.transaction_hash);
  const fits = (moved: Moved): boolean => {
    const decimals = decimalsOf(moved, request, known);
    return (
      moved.transfer.transactionHash === hash &&
      decimals.some((each) => units(shown.amount, each) === moved.amount) &&
      (moved.transfer.way === 'inner' || moved.transfer.from === lower(shown.from))
    );
  };
  const chain = chainOf(request)!;
  const isNow = (moved: Moved) => fits(moved) && chain.isOn(moved.block, chain.head);
  // A transaction may be in one block, and later in another.
  const isThere = (moved: Moved) =>
    fits(moved) &&
    moved.block.number === shown.block_number &&
    moved.block.time === Date.parse(textOf(shown.block_time));
  if (!unused.some((moved) => isNow(moved) && isThere(moved))) {
    const there = unused.findIndex(isThere);
    if (there !== -1) return there;
  }
  const now = unused.findIndex(isNow);
  if (now !== -1) return now;
  const ever = unused.findIndex(fits);
  if (ever !== -1) return ever;
  // A balance is found by block and address alone: its transaction is not known.
  const isBalance = (moved: Moved): boolean =>
    moved.transfer.way === 'inner' &&
    decimalsOf(moved, request, known).some((each) => units(shown.amount, each) === sumInBlock(unused, moved));
  const standing = unused.findIndex((moved) => isBalance(moved) && chain.isOn(moved.block, chain.head));
  return standing !== -1 ? standing : unused.findIndex(isBalance);
}

function sumInBlock(all: readonly Moved[], { block }: Moved): bigint {
  return all
    .filter((each) => each.block === block && each.transfer.token === null)
    .reduce((total, { amount }) => total + amount, 0n);
}

function decimalsOf(moved: Moved, request: PaymentRequest, known: Known): number[] {
  const network = request.selections[0]!.asset.network;
  return [...known.assets.values()]
    .filter((asset) => asset.network === network && asset.token === moved.transfer.token)
    .map(({ fact }) => fact.decimals);
}

function isSelected(request: PaymentRequest, moved: Moved): boolean {
  const token = moved.transfer.token;
  return request.selections.some(({ asset }) => asset.token === token);
}

function judgeDepth(moved: Moved, shown: Json, about: string, known: Known): void {
  const chain = [...known.chains.values()].find((each) => each.views[moved.block.from] === moved.block);
  if (chain === undefined) return;
  const needed = chain.network.confirmations;
  const { confirmations, required_confirmations: required } = shown;
  const isNeeded = required === undefined || required === needed || required === needed + 1;
  known.expect(isNeeded, 'required_confirmations', about, [needed, required]);
  // The branch that the service has read may be another one, on which the same transaction stands.
  const hash = moved.transfer.transactionHash;
  const same = chain.movedTo(moved.transfer.to).filter(({ transfer }) => transfer.transactionHash === hash);
  const isMoved = same.some(({ block }) => block !== moved.block);
  // While another branch is read, the head may be lower than it was.
  const isSteady = !isMoved && chain.unwindings.every((view) => view <= moved.block.from);
  const most = Math.max(0, chain.views[chain.head]!.number - moved.block.number + 1);
  if (isSteady && typeof confirmations === 'number') {
    const is = confirmations >= 0 && confirmations <= most;
    known.expect(is, 'confirmations allowed by the chain', about, [`at most ${most}`, confirmations]);
  }
  if (shown.final !== true) return;
  if (isSteady && typeof confirmations === 'number' && typeof required === 'number') {
    const rule = 'a final transfer has the confirmations that it needs';
    known.expect(confirmations >= required, rule, about, [`at least ${required}`, confirmations]);
  }
  const isFinal = same.some(({ block }) => chain.firstFinal(block) !== undefined);
  known.expect(isFinal, 'a transfer is final once enough blocks stand on it', about, [
    `${needed} blocks`,
    shown,
  ]);
}
