export const DESTINATION_KINDS = ['nats', 'kafka'] as const;

/** A broker that follows the merchants' event log. */
export interface EventDestination {
  /** The position is kept under this name, so it never changes. */
  readonly name: string;
  readonly kind: (typeof DESTINATION_KINDS)[number];
  /** `host` or `host:port`: some brokers of one cluster. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  /** The beginning of every subject; the topic of Kafka. */
  readonly prefix: string;
  readonly secret: DestinationSecret;
}

export const SASL_MECHANISMS = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;

/** The credentials of a destination; fields that its broker does not ask for are absent. */
export interface DestinationSecret {
  readonly user?: string;
  readonly password?: string;
  /** Kafka alone. */
  readonly mechanism?: (typeof SASL_MECHANISMS)[number];
  /** NATS alone. */
  readonly token?: string;
  /** NATS alone: the text of a credentials file (JWT and seed). */
  readonly creds?: string;
  /** PEM: the authority that signs the brokers' certificates. */
  readonly ca?: string;
  /** PEM: the certificate by which this client is known, and its key. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * `unreachable`: no broker answers, or not in time. `missing`: there is no such stream or topic. `too_large`: the broker takes no
 * event of this size. `refused`: it refuses for another reason, such as a missing right.
 */
export const PUBLISHING_FAILURES = ['unreachable', 'missing', 'too_large', 'refused'] as const;

/** The fault that kept an event from being published. */
export class PublishingFailed extends Error {
  override readonly name = 'PublishingFailed';

  constructor(
    readonly failure: (typeof PUBLISHING_FAILURES)[number],
    /** A sentence without secrets. */
    readonly reason: string,
    /** Where it is one event's fault. */
    readonly eventId?: string,
  ) {
    super(reason);
  }
}
