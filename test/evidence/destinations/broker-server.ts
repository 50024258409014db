import type { EventDestination } from '#contexts/webhooks/domain/destinations/event-destination.js';

/** A message as the broker has stored it. */
export interface StoredMessage {
  readonly id: string;
  readonly aggregateId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Order is kept within it: the stream, or the partition. */
  readonly lane: number;
  /** The broker's time, in milliseconds. */
  readonly at: number;
}

/** A real broker on this machine, to be killed and started again. */
export interface BrokerServer {
  readonly kind: EventDestination['kind'];
  /** The address, spelled for `EVENT_DESTINATION_URLS`, without a name. */
  readonly url: string;
  /** Resolves once it answers. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Makes the stream or topic by the documented settings. @param maxBytes of a message */
  prepare(options?: { readonly maxBytes?: number }): Promise<void>;
  /** Sets the largest message that the stream or topic takes. */
  allow(maxBytes: number): Promise<void>;
  /** All that it has, in the order of each lane. */
  read(): Promise<StoredMessage[]>;
  /** The folder of its data. */
  readonly data: string;
}

/** The least that a broker needs of time after its process has begun. */
export const ANSWERS_WITHIN_MS = 60_000;
/** A message of an event has some 1.5 kB. */
export const MAX_BYTES = 65_536;
/** The time within which JetStream recognizes a message id. */
export const WINDOW_SECONDS = 600;
