export const EVENT_DESTINATION_KINDS = ['nats', 'kafka'] as const;

export interface EventDestination {
  /** Must never change, because the checkpoint is stored under it. */
  readonly name: string;
  readonly kind: (typeof EVENT_DESTINATION_KINDS)[number];
  readonly servers: readonly string[];
  readonly isEncrypted: boolean;
  /** NATS: prefix of every subject. Kafka: the topic. */
  readonly prefix: string;
  readonly secret: EventDestinationCredentials;
}

export class EventDestinationsSettings {
  constructor(
    readonly destinations: readonly EventDestination[] = [],
    /** CloudEvents `source`: the public origin of this service. */
    readonly source: string = '',
  ) {}
}

export const SASL_MECHANISMS = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;

export interface EventDestinationCredentials {
  readonly user?: string;
  readonly password?: string;
  /** Used only for Kafka. */
  readonly mechanism?: (typeof SASL_MECHANISMS)[number];
  /** Used only for NATS. */
  readonly token?: string;
  /** Content of a NATS credentials file: JWT and seed. */
  readonly creds?: string;
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * `unreachable`: no broker responds in time. `missing`: no such stream or topic. `refused`: any other rejection, such
 * as a missing permission.
 */
export const PUBLISHING_FAILURES = ['unreachable', 'missing', 'too_large', 'refused'] as const;

export class PublishingFailed extends Error {
  override readonly name = 'PublishingFailed';

  constructor(
    readonly failure: (typeof PUBLISHING_FAILURES)[number],
    /** A sentence for the operator, without secrets. */
    readonly reason: string,
    /** Absent if no single event caused the failure. */
    readonly eventId?: string,
  ) {
    super(reason);
  }
}
