export const DESTINATION_KINDS = ['nats', 'kafka'] as const;

/** A broker that follows the merchants' event log. */
export interface EventDestination {
  /** The checkpoint is stored under this name, so the name never changes. */
  readonly name: string;
  readonly kind: (typeof DESTINATION_KINDS)[number];
  /** Brokers of one cluster, each as `host` or `host:port`. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  /** NATS: prefix of every subject. Kafka: the topic. */
  readonly prefix: string;
  readonly secret: DestinationSecret;
}

export class EventDestinationsSettings {
  constructor(
    readonly destinations: readonly EventDestination[] = [],
    /** Origin of this service, the `source` of messages. */
    readonly source: string = '',
  ) {}
}

export const SASL_MECHANISMS = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;

/** The credentials of a destination. Fields that its broker does not require are absent. */
export interface DestinationSecret {
  readonly user?: string;
  readonly password?: string;
  /** Kafka only. */
  readonly mechanism?: (typeof SASL_MECHANISMS)[number];
  /** NATS only. */
  readonly token?: string;
  /** NATS only: content of a credentials file (JWT and seed). */
  readonly creds?: string;
  /** PEM: certificate authority of the brokers. */
  readonly ca?: string;
  /** PEM: client certificate and key. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * `unreachable`: no broker responds in time. `missing`: the stream or topic does not exist. `too_large`: the event exceeds the size
 * limit of the broker. `refused`: any other reason, such as a missing permission.
 */
export const PUBLISHING_FAILURES = ['unreachable', 'missing', 'too_large', 'refused'] as const;

export class PublishingFailed extends Error {
  override readonly name = 'PublishingFailed';

  constructor(
    readonly failure: (typeof PUBLISHING_FAILURES)[number],
    /** A sentence that contains no secrets. */
    readonly reason: string,
    /** Present if a single event caused the failure. */
    readonly eventId?: string,
  ) {
    super(reason);
  }
}
