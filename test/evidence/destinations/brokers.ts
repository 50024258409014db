import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrokerServer } from './broker-server.js';
import { installedKafka, kafkaServer } from './kafka-server.js';
import { installedNats, natsServer } from './nats-server.js';

const NATS = 'github.com/nats-io/nats-server/v2@v2.15.2';
const KAFKA = '4.1.1';
/** Stays between runs, and belongs to no checkout. */
const FOLDER = join(homedir(), '.cache', 'payment-collection-brokers');
const JARS = join(FOLDER, `kafka-${KAFKA}`);

const run = promisify(execFile);

/** A broker that this machine can run, in a folder of the caller's; or why it cannot. */
export interface FoundBroker {
  readonly name: 'NATS JetStream' | 'Kafka';
  readonly open: ((folder: string) => Promise<BrokerServer>) | null;
  readonly lacks: string;
}

export function foundBrokers(): FoundBroker[] {
  const [nats, jars] = [ownNats() ?? installedNats(), installedKafka(JARS)];
  return [
    {
      name: 'NATS JetStream',
      open: nats === null ? null : (folder) => natsServer(nats, folder),
      lacks: 'no nats-server in the path nor at NATS_SERVER (Debian: nats-server)',
    },
    {
      name: 'Kafka',
      open: jars === null ? null : (folder) => kafkaServer(jars, folder),
      lacks: 'no java in the path, or no folder of Kafka’s jars at KAFKA_JARS',
    },
  ];
}

/** Builds or copies what is missing, out of the registries of Go and Maven. @throws with what is missing for that */
export async function installBrokers(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  if ((ownNats() ?? installedNats()) === null) {
    const go = ['/usr/local/go/bin/go', 'go'].find((program) => program === 'go' || existsSync(program))!;
    await run(go, ['install', NATS], { env: { ...process.env, GOBIN: FOLDER } });
  }
  if (installedKafka(JARS) !== null) return;
  writeFileSync(join(FOLDER, 'pom.xml'), POM);
  const goal = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${JARS}`];
  // Half a folder would look like an installed one.
  await run('mvn', goal, { cwd: FOLDER }).catch((error: unknown) => {
    rmSync(JARS, { recursive: true, force: true });
    throw error;
  });
}

function ownNats(): string | null {
  const file = join(FOLDER, 'nats-server');
  return existsSync(file) ? file : null;
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>evidence</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${KAFKA}</version></dependency>
  </dependencies>
</project>
`;
