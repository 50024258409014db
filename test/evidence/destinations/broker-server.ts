import type { EventDestination } from '#contexts/webhooks/domain/destinations/event-destination.js';

export interface StoredMessage {
  readonly id: string;
  readonly aggregateId: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Order is kept within it: the stream, or the partition. */
  readonly lane: number;
  readonly at: number;
}

/** A real broker on this machine, to be killed and started again. */
export interface BrokerServer {
  readonly kind: EventDestination['kind'];
  /** The address, spelled for `EVENT_DESTINATION_URLS`, without a name. */
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Makes the stream or topic by the documented settings. @param maxBytes of a message */
  prepare(options?: { readonly maxBytes?: number }): Promise<void>;
  allow(maxBytes: number): Promise<void>;
  /** All that it has, in the order of each lane. */
  read(): Promise<StoredMessage[]>;
  readonly data: string;
}

/** The least that a broker needs of time after its process has begun. */
export const ANSWERS_WITHIN_MS = 60_000;
export const MAX_BYTES = 65_536;
/** The time within which JetStream recognizes a message id. */
export const WINDOW_SECONDS = 600;
