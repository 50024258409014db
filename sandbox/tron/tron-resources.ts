/** Sun for each unit of energy, and for each byte of bandwidth, that the account does not have. */
export const ENERGY_PRICE = 100;
export const BANDWIDTH_PRICE = 1_000;
export const FREE_BANDWIDTH = 600;
export const MAX_FEE_LIMIT = 15_000_000_000;
/** Sun, for the first transfer of TRX to an address. */
export const NEW_ACCOUNT_FEE = 1_000_000;
export const NEW_ACCOUNT_BANDWIDTH_FEE = 100_000;

/** Used resources recover evenly within a day. */
const DAY_MS = 86_400_000;

interface Usage {
  readonly used: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

interface Account {
  readonly energy: Usage;
  readonly bandwidth: Usage;
}

const UNUSED: Usage = { used: 0, at: 0 };

/** Energy and bandwidth that accounts have used, and energy that they may use. */
export class TronResources {
  private accounts = new Map<string, Account>();
  /** Energy that was staked for or delegated to an account, by address. Not part of the chain. */
  private readonly energyLimits = new Map<string, number>();

  energyLimit(address: string): number {
    return this.energyLimits.get(address) ?? 0;
  }

  setEnergyLimit(address: string, limit: number): void {
    this.energyLimits.set(address, limit);
  }

  usedEnergy(address: string, now: number): number {
    return recovered(this.accounts.get(address)?.energy, now);
  }

  usedBandwidth(address: string, now: number): number {
    return recovered(this.accounts.get(address)?.bandwidth, now);
  }

  leftEnergy(address: string, now: number): number {
    return Math.max(0, this.energyLimit(address) - this.usedEnergy(address, now));
  }

  /** @returns the bytes taken from the free bandwidth, and the sun to burn if that is not enough */
  bandwidthCost(address: string, bytes: number, now: number): { usage: number; fee: number } {
    return this.usedBandwidth(address, now) + bytes <= FREE_BANDWIDTH
      ? { usage: bytes, fee: 0 }
      : { usage: 0, fee: bytes * BANDWIDTH_PRICE };
  }

  use(address: string, { energy, bandwidth }: { energy: number; bandwidth: number }, now: number): void {
    this.accounts.set(address, {
      energy: { used: this.usedEnergy(address, now) + energy, at: now },
      bandwidth: { used: this.usedBandwidth(address, now) + bandwidth, at: now },
    });
  }

  snapshot(): ReadonlyMap<string, Account> {
    return new Map(this.accounts);
  }

  restore(accounts: ReadonlyMap<string, Account>): void {
    this.accounts = new Map(accounts);
  }
}

function recovered({ used, at }: Usage = UNUSED, now: number): number {
  return Math.ceil(used * Math.max(0, 1 - (now - at) / DAY_MS));
}
