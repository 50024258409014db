export const DESTINATION_KINDS = ['nats', 'kafka'] as const;

/** A message broker to which this service publishes the events of all merchants. */
export interface EventDestination {
  /** Configured name. It must never change, because the destination's checkpoint is stored under it. */
  readonly name: string;
  readonly kind: (typeof DESTINATION_KINDS)[number];
  /** Brokers of the cluster, each as `host` or `host:port`. */
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  /** NATS: prefix of every subject. Kafka: the topic. */
  readonly prefix: string;
  readonly secret: DestinationSecret;
}

export class EventDestinationsSettings {
  constructor(
    readonly destinations: readonly EventDestination[] = [],
    /** Public origin of this service, sent as the CloudEvents `source` of every message. */
    readonly source: string = '',
  ) {}
}

export const SASL_MECHANISMS = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;

/** The credentials of a destination. Only those that its broker requires are present. */
export interface DestinationSecret {
  readonly user?: string;
  readonly password?: string;
  /** SASL mechanism, for Kafka only. */
  readonly mechanism?: (typeof SASL_MECHANISMS)[number];
  /** Authentication token, for NATS only. */
  readonly token?: string;
  /** NATS only: content of a credentials file (JWT and seed). */
  readonly creds?: string;
  /** Certificate authority of the brokers, in PEM. */
  readonly ca?: string;
  /** Client certificate and key, in PEM. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * `unreachable`: no broker responds in time. `missing`: the stream or topic does not exist. `too_large`: the event
 * exceeds the size limit of the broker. `refused`: the broker rejects the event for another reason, such as a missing
 * permission.
 */
export const PUBLISHING_FAILURES = ['unreachable', 'missing', 'too_large', 'refused'] as const;

export class PublishingFailed extends Error {
  override readonly name = 'PublishingFailed';

  constructor(
    readonly failure: (typeof PUBLISHING_FAILURES)[number],
    /** Reason as a sentence for the operator. Contains no secrets. */
    readonly reason: string,
    /** Id of the event that caused the failure. Absent if no single event did. */
    readonly eventId?: string,
  ) {
    super(reason);
  }
}
