import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
import { spawnChild, waitUntil, type RunningChild } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import {
  ANSWERS_WITHIN_MS,
  MAX_BYTES,
  WINDOW_SECONDS,
  type BrokerServer,
  type StoredMessage,
} from './broker-server.js';

const STREAM = 'PAYMENTS';
const SUBJECTS = 'payments.>';

/** @param program an installed `nats-server` @param folder an empty one that stays */
export async function natsServer(program: string, folder: string): Promise<BrokerServer> {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const data = join(folder, 'nats');
  let server: RunningChild | undefined;

  async function asked<T>(ask: (connection: NatsConnection) => Promise<T>): Promise<T> {
    const connection = await connect({ servers: address, reconnect: false });
    try {
      return await ask(connection);
    } finally {
      await connection.close();
    }
  }
  const streams = <T>(ask: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>) =>
    asked(async (connection) => ask(await jetstreamManager(connection)));

  return {
    kind: 'nats',
    url: `nats://${address}/payments`,
    data,

    async start() {
      server = await spawnChild({
        command: program,
        args: ['--jetstream', '--addr', '127.0.0.1', '--port', String(port), '--store_dir', data],
        deathSignal: 'SIGKILL',
        logFile: join(folder, 'nats.log'),
      });
      const answers = async () => {
        const found = await streams(({ streams: own }) => own.list().next()).catch(() => null);
        return found !== null;
      };
      const isUp = await waitUntil(answers, { timeoutMs: ANSWERS_WITHIN_MS });
      if (!isUp) throw new Error(`nats-server does not answer: ${join(folder, 'nats.log')}.`);
    },

    async kill() {
      await server?.end('SIGKILL');
    },

    async prepare({ maxBytes = MAX_BYTES } = {}) {
      await streams(({ streams: own }) =>
        own.add({
          name: STREAM,
          subjects: [SUBJECTS],
          max_msg_size: maxBytes,
          duplicate_window: nanos(WINDOW_SECONDS * 1_000),
        }),
      );
    },

    async allow(maxBytes) {
      await streams(({ streams: own }) => own.update(STREAM, { max_msg_size: maxBytes }));
    },

    read: () =>
      asked(async (connection) => {
        const manager = await jetstreamManager(connection);
        const { state } = await manager.streams.info(STREAM);
        const stored: StoredMessage[] = [];
        if (state.messages === 0) return stored;
        const consumer = await jetstream(connection).consumers.get(STREAM, {});
        for await (const message of await consumer.consume()) {
          const attributes = Object.fromEntries(
            [...message.headers!].map(([name, [value]]) => [name.replace(/^ce-/, ''), value!]),
          );
          stored.push({
            id: message.headers!.get('Nats-Msg-Id'),
            aggregateId: attributes['subject']!,
            body: message.string(),
            attributes,
            lane: 0,
            at: message.info.timestampNanos / 1_000_000,
          });
          if (message.info.streamSequence === state.last_seq) break;
        }
        return stored;
      }),
  };
}

/** The program in the path, or where `NATS_SERVER` says; null where there is none. */
export function installedNats(): string | null {
  const named = process.env['NATS_SERVER'];
  const folders = (process.env['PATH'] ?? '').split(':').concat('/usr/sbin');
  const found = [named, ...folders.map((folder) => join(folder, 'nats-server'))];
  return found.find((file) => file !== undefined && file !== '' && existsSync(file)) ?? null;
}
