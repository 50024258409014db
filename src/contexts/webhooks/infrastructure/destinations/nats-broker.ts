import { jetstream, JetStreamApiError } from '@nats-io/jetstream';
import {
  connect,
  credsAuthenticator,
  errors,
  headers,
  type MsgHdrs,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { EventBroker } from '../../application/destinations/publish-events.js';
import { PublishingFailed, type EventDestination } from '../../domain/destinations/event-destination.js';
import { groupConcurrentMessages, type BrokerMessage } from '../../domain/destinations/broker-message.js';

const RESPONSE_TIMEOUT_MS = 5_000;
/** The message exceeds `max_msg_size` of the stream. */
const MESSAGE_TOO_LARGE_CODE = 10_054;

/** The client does not reconnect automatically, because it would send buffered messages between republished ones. */
export class NatsBroker extends EventBroker {
  private connection: NatsConnection | undefined;
  /** Shared by the concurrent messages of a batch. */
  private opening: Promise<NatsConnection> | undefined;

  constructor(private readonly destination: EventDestination) {
    super();
  }

  override async publish(
    messages: readonly BrokerMessage[],
    acknowledged: (id: string) => void,
  ): Promise<void> {
    for (const wave of groupConcurrentMessages(messages)) {
      const outcomes = await Promise.allSettled(wave.map((message) => this.send(message)));
      outcomes.forEach(({ status }, n) => status === 'fulfilled' && acknowledged(wave[n]!.id));
      const failed = outcomes.findIndex(({ status }) => status === 'rejected');
      if (failed === -1) continue;
      const failure = toPublishingFailed((outcomes[failed] as PromiseRejectedResult).reason, wave[failed]!);
      if (failure.failure === 'unreachable') await this.close();
      throw failure;
    }
  }

  override async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }

  private async send({ id, subject, attributes, body }: BrokerMessage): Promise<void> {
    await jetstream(await this.openConnection()).publish(`${this.destination.prefix}.${subject}`, body, {
      msgID: id,
      headers: encodeHeaders(attributes),
      timeout: RESPONSE_TIMEOUT_MS,
    });
  }

  private async openConnection(): Promise<NatsConnection> {
    if (this.connection !== undefined && !this.connection.isClosed()) return this.connection;
    this.opening ??= connect(natsOptionsOf(this.destination)).finally(() => (this.opening = undefined));
    this.connection = await this.opening;
    return this.connection;
  }
}

function natsOptionsOf({ name, servers, isEncrypted, secret }: EventDestination): NodeConnectionOptions {
  const { user, password, token, creds, ca, certificate, key } = secret;
  return {
    name: `payment collection, destination ${name}`,
    servers: [...servers],
    reconnect: false,
    timeout: RESPONSE_TIMEOUT_MS,
    ...(user === undefined ? {} : { user, pass: password ?? '' }),
    ...(token === undefined ? {} : { token }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(new TextEncoder().encode(creds)) }),
    ...(isEncrypted ? { tls: { ca, cert: certificate, key } } : {}),
  };
}

function encodeHeaders(attributes: BrokerMessage['attributes']): MsgHdrs {
  const sent = headers();
  sent.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(attributes)) sent.set(`ce-${name}`, value);
  if (attributes['traceparent'] !== undefined) sent.set('traceparent', attributes['traceparent']);
  return sent;
}

/** A client error can also be the cause of the thrown error. */
function toPublishingFailed(error: unknown, { id, subject }: BrokerMessage): PublishingFailed {
  const found = error instanceof Error ? [error, error.cause] : [error];
  const isAny = (...kinds: (abstract new (...fields: never[]) => Error)[]) =>
    found.some((each) => kinds.some((kind) => each instanceof kind));
  if (found.some((each) => each instanceof errors.RequestError && each.isNoResponders()))
    return new PublishingFailed('missing', 'No stream accepts the subject of the event.');
  if (error instanceof JetStreamApiError) {
    if (error.code === MESSAGE_TOO_LARGE_CODE)
      return new PublishingFailed('too_large', 'The event is larger than max_msg_size of the stream.', id);
    return new PublishingFailed('refused', `JetStream rejected the event: ${error.message}.`);
  }
  if (isAny(errors.InvalidArgumentError))
    return new PublishingFailed('too_large', 'The event is larger than max_payload of the server.', id);
  if (isAny(errors.PermissionViolationError)) {
    const type = subject.split('.').at(-1)!;
    return new PublishingFailed(
      'refused',
      `The server does not permit the publication of events of the type ${type}.`,
    );
  }
  if (isAny(errors.AuthorizationError, errors.UserAuthenticationExpiredError))
    return new PublishingFailed('refused', 'The server does not accept the credentials.');
  const message = error instanceof Error && error.message !== '' ? error.message : 'no answer';
  return new PublishingFailed('unreachable', `No server responds: ${message}.`);
}
