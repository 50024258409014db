import {
  compatibilityPartitioner,
  findErrorBy,
  type MessageToProduce,
  Producer,
  stringSerializers,
  UserError,
} from '@platformatic/kafka';
import { EventBroker } from '../../application/destinations/publish-events.js';
import {
  PublishingFailed,
  type EventDestination,
  type PUBLISHING_FAILURES,
} from '../../domain/destinations/event-destination.js';
import type { BrokerMessage } from '../../domain/destinations/broker-message.js';

type TextProducer = Producer<string, string, string, string>;

const RESPONSE_TIMEOUT_MS = 5_000;
/** The broker recognizes duplicates (idempotent producer). */
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 200;

const FAILURE_BY_KAFKA_ERROR: Readonly<
  Record<string, readonly [(typeof PUBLISHING_FAILURES)[number], string]>
> = {
  UNKNOWN_TOPIC_OR_PARTITION: ['missing', 'There is no topic of this name.'],
  MESSAGE_TOO_LARGE: ['too_large', 'The event is larger than max.message.bytes of the topic.'],
  RECORD_LIST_TOO_LARGE: ['too_large', 'The event is larger than a segment of the topic.'],
  TOPIC_AUTHORIZATION_FAILED: ['refused', 'The user is not permitted to write to the topic.'],
  CLUSTER_AUTHORIZATION_FAILED: ['refused', 'The user is not permitted to write idempotently.'],
  SASL_AUTHENTICATION_FAILED: ['refused', 'The broker does not accept the credentials.'],
  NOT_ENOUGH_REPLICAS: ['unreachable', 'The topic has fewer replicas in sync than min.insync.replicas.'],
};

/**
 * A partition stores all messages of an aggregate in a batch or none. After a failure, messages are sent one by one
 * to learn which are acknowledged.
 */
export class KafkaBroker extends EventBroker {
  private producer: TextProducer | undefined;
  private isCareful = false;

  constructor(private readonly destination: EventDestination) {
    super();
  }

  override async publish(
    messages: readonly BrokerMessage[],
    acknowledged: (id: string) => void,
  ): Promise<void> {
    if (!this.isCareful) {
      const failed = await this.send(messages);
      if (failed === null) return messages.forEach(({ id }) => acknowledged(id));
      this.isCareful = true;
      // A batch can be too large even if each event is small enough.
      if (failed.failure !== 'too_large') throw failed;
    }
    for (const message of messages) {
      const failed = await this.send([message]);
      if (failed !== null) throw failed;
      acknowledged(message.id);
    }
    this.isCareful = false;
  }

  override async close(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.close(true).catch(() => undefined);
  }

  private async send(messages: readonly BrokerMessage[]): Promise<PublishingFailed | null> {
    this.producer ??= new Producer(kafkaOptionsOf(this.destination));
    try {
      await this.producer.send({ messages: messages.map((message) => this.encodeRecord(message)) });
      return null;
    } catch (error) {
      // The producer may still have messages in flight.
      await this.close();
      return toPublishingFailed(error as Error, messages);
    }
  }

  private encodeRecord({
    key,
    attributes,
    body,
  }: BrokerMessage): MessageToProduce<string, string, string, string> {
    const named = Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value] as const);
    const { traceparent } = attributes;
    return {
      topic: this.destination.prefix,
      key,
      value: body,
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(named),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
    };
  }
}

function kafkaOptionsOf({ name, servers, isEncrypted, secret }: EventDestination) {
  const { user, password, mechanism = 'SCRAM-SHA-512', ca, certificate, key } = secret;
  return {
    clientId: `payment-collection-${name}`,
    bootstrapBrokers: [...servers],
    serializers: stringSerializers,
    partitioner: compatibilityPartitioner,
    idempotent: true,
    autocreateTopics: false,
    connectTimeout: RESPONSE_TIMEOUT_MS,
    timeout: RESPONSE_TIMEOUT_MS,
    requestTimeout: 2 * RESPONSE_TIMEOUT_MS,
    retries: MAX_RETRIES,
    retryDelay: RETRY_DELAY_MS,
    ...(isEncrypted ? { tls: { ca, cert: certificate, key }, tlsServerName: true } : {}),
    ...(user === undefined ? {} : { sasl: { mechanism, username: user, password: password ?? '' } }),
  };
}

function toPublishingFailed(error: Error, messages: readonly BrokerMessage[]): PublishingFailed {
  // The client reports an unknown topic as its own `UserError`.
  if (error instanceof UserError && error.message.startsWith('Unknown topic'))
    return new PublishingFailed(...FAILURE_BY_KAFKA_ERROR['UNKNOWN_TOPIC_OR_PARTITION']!);
  for (const [apiId, [failure, reason]] of Object.entries(FAILURE_BY_KAFKA_ERROR)) {
    if (findErrorBy(error, 'apiId', apiId) === null) continue;
    const isOfOne = failure === 'too_large' && messages.length === 1;
    return new PublishingFailed(failure, reason, isOfOne ? messages[0]!.id : undefined);
  }
  return new PublishingFailed('unreachable', `No broker responds: ${innermostReason(error)}.`);
}

function innermostReason(error: Error): string {
  const inner = error instanceof AggregateError ? (error.errors.at(-1) as Error | undefined) : undefined;
  const cause = inner ?? (error.cause instanceof Error ? error.cause : undefined);
  return cause === undefined ? error.message.replace(/\.$/, '') : innermostReason(cause);
}
