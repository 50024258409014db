import type { Page } from '../accounts/lists.js';
import { accountOf, organizationOf, type Heard } from '../exchange/heard.js';
import type { Known } from '../known/known.js';
import { objectOf, textOf, timeOf } from '../known/values.js';
import { isAtRest } from '../requests/status.js';

/** Every record has its place in the order of its scope, gapless, and keeps it. */
export function judgeOrder(ids: readonly string[], page: Page, heard: Heard, known: Known): void {
  const { exchange } = heard;
  const account = accountOf(heard) ?? exchange.query.accountID;
  const key = account === undefined ? `organization ${organizationOf(heard)}` : `account ${account}`;
  const scope = known.books.scope(key);
  const { findings } = known;
  const isMonotone = page.total >= scope.total || scope.totalAt >= exchange.sentAt;
  findings.expect(isMonotone, 'no record vanishes', key, `at least ${scope.total}`, page.total);
  if (page.total > scope.total) {
    scope.total = page.total;
    scope.totalAt = exchange.at;
  }
  if (isAtRest(known, exchange.sentAt)) scope.restTotal = page.total;
  ids.forEach((id, index) => {
    const rank = page.total - (page.page - 1) * page.size - index;
    const other = scope.ranks.get(rank);
    findings.expect(
      other === undefined || other === id,
      'the order of transactions is gapless and stays',
      `${key} place ${rank}`,
      other,
      id,
    );
    const place = scope.places.get(id);
    findings.expect(
      place === undefined || place === rank,
      'a transaction keeps its place',
      `transaction ${id}`,
      place,
      rank,
    );
    scope.ranks.set(rank, id);
    scope.places.set(id, rank);
  });
}

/** Transactions come newest first. */
export function judgeTimes(page: Page, heard: Heard, { findings }: Known): void {
  let latest = Infinity;
  for (const item of page.items) {
    const record = objectOf(item);
    const created = timeOf(record.created_at) ?? latest;
    // Transactions of the database that overlap may take their times in another order than their places.
    const is = created <= latest + 60_000 && created <= heard.exchange.at + 2000;
    findings.expect(
      is,
      'transactions come newest first',
      `transaction ${textOf(record.id)}`,
      `not after ${latest}`,
      record.created_at,
    );
    latest = Math.min(latest, created);
  }
}
