/** What is left of a minute's attempts. */
export interface AttemptsLeft {
  readonly left: number;
  /** Whole, until there are all again. */
  readonly seconds: number;
}

/** How often tokens are asked for, counted exactly over all replicas, in minutes that begin with a first attempt. */
export abstract class ExchangeAttempts {
  /**
   * Takes one of all attempts of this address; one statement.
   * @param address a caller's range: an IPv4 address, or the /64 of an IPv6 one
   * @throws RateLimited; what is refused is not counted
   */
  abstract take(address: string): Promise<AttemptsLeft>;
  /** @throws RateLimited where no failed attempt with this key is left to this address; takes none */
  abstract demandFailureLeft(keyId: string, address: string): Promise<void>;
  /** Takes a failed one, of this key and address together. @throws RateLimited where others have taken the last meanwhile */
  abstract takeFailure(keyId: string, address: string): Promise<void>;
}
