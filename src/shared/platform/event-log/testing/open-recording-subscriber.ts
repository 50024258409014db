import { openTestDatabase } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { Database } from '../../database/database.js';
import { EventSubscriber, SubscriberRunner } from '../subscriber-runner.js';
import { logSettled } from './log-settled.js';

export const OWNER = newId();

/** Records each event, and fails after recording an event that the test marks as failing. */
export class RecordingSubscriber extends EventSubscriber {
  readonly name: string = 'notebook';
  readonly eventTypes = ['line'];
  refuses: (text: string) => boolean = () => false;

  constructor(private readonly database: Database) {
    super();
  }

  async apply(events: readonly PublishedEvent[]): Promise<void> {
    for (const event of events) {
      const { text } = event.data as { text: string };
      await this.database.queryInTransaction('INSERT INTO public.noted (aggregate, text) VALUES ($1, $2)', [
        event.aggregateId,
        text,
      ]);
      if (this.refuses(text)) throw new Error('illegible');
    }
  }
}

export function line(text: string, aggregateId: string = OWNER, type = 'line') {
  const tenant = { organizationId: OWNER as never, accountId: OWNER as never };
  return { type, aggregateId, ...tenant, occurredAt: new Date(0), data: { text } };
}

export type OpenNotebook = Awaited<ReturnType<typeof openRecordingSubscriber>>;

export async function openRecordingSubscriber() {
  const platform = await openTestDatabase();
  const { database, eventLog } = platform;
  await database.query(
    `CREATE TABLE public.noted (n bigint GENERATED ALWAYS AS IDENTITY, aggregate uuid, text text)`,
  );
  const notebook = new RecordingSubscriber(database);
  const runner = new SubscriberRunner(database, notebook);
  await runner.register();
  const texts = (rows: { text: string }[]) => rows.map(({ text }) => text);
  return {
    platform,
    notebook,
    runner,

    write: (...events: ReturnType<typeof line>[]) => database.run(() => eventLog.append(events)),

    async hearAll(by = runner): Promise<void> {
      await logSettled(database);
      while (await by.applyNextBatch());
    },

    async noted(): Promise<string[]> {
      return texts(await database.query('SELECT text FROM public.noted ORDER BY n'));
    },

    async parked(): Promise<string[]> {
      return texts(
        await database.query(
          `SELECT e.data ->> 'text' AS text
           FROM platform.parked_events p JOIN platform.events e ON e.id = p.event_id
           ORDER BY e.transaction_id, e.position`,
        ),
      );
    },

    async close(): Promise<void> {
      await database.query('DROP TABLE public.noted');
      await platform.close();
    },
  };
}
