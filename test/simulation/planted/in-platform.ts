import type { PlantedBug } from './planted-bug.js';

const PLATFORM = 'shared/platform';

/** Transactions, idempotency keys, the event log, due work and amounts. */
export const bugsInPlatform: readonly PlantedBug[] = [
  {
    name: 'a creation and its idempotency key are stored apart',
    file: `${PLATFORM}/idempotency/idempotency-keys.ts`,
    from: `    return this.database.run(async () => {
      await this.claim(keyed);
      const created = await work();
      await this.add(answeredKey(keyed, created));
      return created;
    });`,
    to: `    const creating = this.database.run(async () => {
      await this.claim(keyed);
      return work();
    });
    return creating.then(async (created) => {
      await this.database.run(() => this.add(answeredKey(keyed, created)));
      return created;
    });`,
    shows: 'kill',
    breaks: 'A creation that is repeated with its idempotency key after a crash is carried out twice.',
  },
  {
    name: 'a key that was answered meanwhile is taken over',
    file: `${PLATFORM}/idempotency/idempotency-keys.sql.ts`,
    from: 'WHERE NOT (${isTaken(at, execution)})',
    to: 'WHERE true',
    shows: 'race',
    breaks: 'Two requests with one idempotency key create two objects.',
  },
  {
    name: 'a key may be used again for some other requests',
    file: `${PLATFORM}/http/idempotency/idempotent-answers.ts`,
    from: 'if (Buffer.compare(found.requestDigest, use.requestDigest) !== 0)',
    to: 'if (Buffer.compare(found.requestDigest, use.requestDigest) > 0)',
    shows: 'always',
    breaks: 'Another request under a used idempotency key is answered as the first one was.',
  },
  {
    name: 'a repetition keeps out another one that only reads',
    file: `${PLATFORM}/http/idempotency/idempotent-answers.ts`,
    from: 'const earlier = await this.find(use);',
    to: `this.creating.add(nameOf(use));
    const earlier = await this.find(use).finally(() => this.creating.delete(nameOf(use)));`,
    shows: 'race',
    breaks:
      'A repetition of a creation that was answered long ago is refused as if the first were still being answered.',
  },
  {
    name: 'a repetition that comes while the first is carried out is refused for its effect',
    file: `${PLATFORM}/http/idempotency/idempotent-answers.ts`,
    from: 'if (!(error instanceof KeyTaken) && !(error instanceof DomainError)) throw error;',
    to: 'if (!(error instanceof KeyTaken)) throw error;',
    shows: 'race',
    breaks: 'A repetition with its idempotency key is answered 409 because of what the first one did.',
  },
  {
    name: 'a transaction whose end is not known is done again',
    file: `${PLATFORM}/database/database.ts`,
    from: "return tracedPart({ name: 'transaction', kind: 'internal' }, () => this.runAlone(work));",
    to: `return tracedPart({ name: 'transaction', kind: 'internal' }, () =>
      this.runAlone(work).catch((error: unknown) => {
        if (isTransientDatabaseError(error)) return this.runAlone(work);
        throw error;
      }),
    );`,
    shows: 'lost connection',
    breaks: 'What was committed though its answer was lost is carried out twice.',
  },
  {
    name: 'a transaction that failed is not rolled back',
    file: `${PLATFORM}/database/database.ts`,
    from: '      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);\n',
    to: '',
    shows: 'always',
    breaks: 'After a refused request others are answered 500, or are stored and lost.',
  },
  {
    name: 'events of transactions that still run are passed over',
    file: `${PLATFORM}/event-log/subscriber-runner.ts`,
    from: `         AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY e.transaction_id, e.position LIMIT \${BATCH}`,
    to: `       ORDER BY e.transaction_id, e.position LIMIT \${BATCH}`,
    shows: 'race',
    breaks: 'A payment is in no ledger, or a status in no webhook, though its request shows it.',
  },
  {
    name: 'two workers read on from one place of the event log',
    file: `${PLATFORM}/event-log/subscriber-runner.ts`,
    from: `WHERE subscriber = $1
       FOR UPDATE SKIP LOCKED`,
    to: 'WHERE subscriber = $1',
    shows: 'race',
    breaks: 'An event is applied twice: what waits for its settlement is more than what came.',
  },
  {
    name: 'the place in the event log moves before its events are applied',
    file: `${PLATFORM}/event-log/subscriber-runner.ts`,
    from: `    return this.database.run(async () => {
      const position = await this.lockPosition();
      if (position === null) return false;
      const rows = await this.read(position);
      const last = rows.at(-1);
      if (last === undefined) return false;
      await this.applyAll(rows.filter((row) => this.subscriber.eventTypes.includes(row.type)));
      await this.database.write(
        \`UPDATE platform.subscriber_positions SET transaction_id = $2, position = $3, moved_at = clock_timestamp()
         WHERE subscriber = $1\`,
        [this.subscriber.name, last.transactionId, last.position],
      );
      return rows.length === BATCH;
    });`,
    to: `    const rows = await this.database.run(async () => {
      const position = await this.lockPosition();
      if (position === null) return [];
      const read = await this.read(position);
      const last = read.at(-1);
      if (last === undefined) return [];
      await this.database.write(
        \`UPDATE platform.subscriber_positions SET transaction_id = $2, position = $3, moved_at = clock_timestamp()
         WHERE subscriber = $1\`,
        [this.subscriber.name, last.transactionId, last.position],
      );
      return read;
    });
    const applied = rows.filter((row) => this.subscriber.eventTypes.includes(row.type));
    await this.database.run(() => this.applyAll(applied));
    return rows.length === BATCH;`,
    shows: 'kill',
    breaks: 'What a worker had read when it was killed is in no ledger, settlement or webhook.',
  },
  {
    name: 'a deadlock is taken for an event that cannot be applied',
    file: `${PLATFORM}/database/transient-error.ts`,
    from: '(?:08|40|53|',
    to: '(?:08|53|',
    shows: 'race',
    breaks: 'An event or a request is parked because two transactions met, and nothing of it goes on.',
  },
  {
    name: 'an outcome ends the work of whoever claimed it since',
    file: `${PLATFORM}/due-work/due-work.ts`,
    from: 'AND w.key = o.key AND w.claim = o.claim\n',
    to: 'AND w.key = o.key AND w.claim IS NOT NULL\n',
    shows: 'race',
    breaks:
      'A delivery stays pending for ever though its receiver has acknowledged it, and nothing tries it again.',
  },
  {
    name: 'tries of due work are not counted',
    file: `${PLATFORM}/due-work/due-work.ts`,
    from: 'attempt = w.attempt + 1, claim',
    to: 'attempt = w.attempt, claim',
    shows: 'always',
    breaks: 'A receiver that fails gets the same notification every few seconds, and for ever.',
  },
  {
    name: 'amounts below one lack their zero',
    file: 'shared/kernel/amount.ts',
    from: "padStart(decimals + 1, '0')",
    to: "padStart(decimals, '0')",
    shows: 'always',
    breaks: 'An amount below one unit is written without the digit before its point.',
  },
];
