import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Admin, Consumer, stringDeserializers } from '@platformatic/kafka';
import { spawnChild, waitUntil, type RunningChild } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { ANSWERS_WITHIN_MS, MAX_BYTES, type BrokerServer, type StoredMessage } from './broker-server.js';

const TOPIC = 'payments';
const PARTITIONS = 6;
const CLUSTER = 'MkU3OEVBNTcwNTJENDM2Qk';

/** One node in KRaft mode. @param jars folder of Kafka's jars @param folder an empty one that stays */
export async function kafkaServer(jars: string, folder: string): Promise<BrokerServer> {
  const [port, controllerPort] = [await freePort(), await freePort()];
  const address = `127.0.0.1:${port}`;
  const data = join(folder, 'kafka');
  const properties = join(folder, 'kafka.properties');
  const classes = ['-cp', join(jars, '*')];
  let server: RunningChild | undefined;
  const client = { clientId: 'evidence', bootstrapBrokers: [address], retries: 0 };

  async function administered<T>(ask: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = new Admin(client);
    try {
      return await ask(admin);
    } finally {
      await admin.close();
    }
  }

  return {
    kind: 'kafka',
    url: `kafka://${address}/${TOPIC}`,
    data,

    async start() {
      if (!existsSync(data)) {
        mkdirSync(data);
        writeFileSync(properties, settingsOf({ address, controllerPort, data }));
        const format = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', properties];
        await promisify(execFile)('java', [...classes, ...format]);
      }
      server = await spawnChild({
        command: 'java',
        args: ['-Xmx512m', ...classes, 'kafka.Kafka', properties],
        deathSignal: 'SIGKILL',
        logFile: join(folder, 'kafka.log'),
      });
      const answers = () =>
        administered((admin) => admin.listTopics()).then(
          () => true,
          () => false,
        );
      const isUp = await waitUntil(answers, { timeoutMs: ANSWERS_WITHIN_MS, everyMs: 200 });
      if (!isUp) throw new Error(`Kafka does not answer: ${join(folder, 'kafka.log')}.`);
    },

    async kill() {
      await server?.end('SIGKILL');
    },

    async prepare({ maxBytes = MAX_BYTES } = {}) {
      const configs = [{ name: 'max.message.bytes', value: String(Math.max(maxBytes, 100)) }];
      await administered((admin) =>
        admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1, configs }),
      );
    },

    async allow(maxBytes) {
      const value = String(maxBytes);
      const configs = [{ name: 'max.message.bytes', value, configOperation: 0 as const }];
      await administered((admin) =>
        admin.incrementalAlterConfigs({ resources: [{ resourceType: 2, resourceName: TOPIC, configs }] }),
      );
    },

    async read() {
      const consumer = new Consumer({
        ...client,
        // The groups' own topic is made with the first reader.
        ...{ retries: 60, retryDelay: 500 },
        groupId: `evidence-${Date.now()}`,
        deserializers: stringDeserializers,
      });
      try {
        const offsets = await consumer.listOffsets({ topics: [TOPIC], timestamp: -1n });
        const all = offsets.get(TOPIC)!.reduce((sum, offset) => sum + Number(offset), 0);
        const stored: StoredMessage[] = [];
        if (all === 0) return stored;
        const stream = await consumer.consume({ topics: [TOPIC], mode: 'earliest', autocommit: false });
        for await (const { key, value, headers, partition, timestamp } of stream) {
          const attributes = Object.fromEntries(
            [...headers].map(([name, text]) => [name.replace(/^ce_/, ''), text]),
          );
          stored.push({
            id: attributes['id']!,
            aggregateId: key!.split('.').at(-1)!,
            body: value!,
            attributes,
            lane: partition,
            at: Number(timestamp),
          });
          if (stored.length === all) break;
        }
        return stored;
      } finally {
        await consumer.close(true);
      }
    },
  };
}

function settingsOf(at: { address: string; controllerPort: number; data: string }): string {
  const controller = `127.0.0.1:${at.controllerPort}`;
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@${controller}`,
    listeners: `PLAINTEXT://${at.address},CONTROLLER://${controller}`,
    'advertised.listeners': `PLAINTEXT://${at.address}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': at.data,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'auto.create.topics.enable': false,
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** The folder of Kafka's jars, where `KAFKA_JARS` says or this evidence has put them, and a Java to run them; else null. */
export function installedKafka(own: string): string | null {
  const hasJava = (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, 'java')));
  const found = [process.env['KAFKA_JARS'], own].find((folder) => folder !== undefined && existsSync(folder));
  return hasJava ? (found ?? null) : null;
}
