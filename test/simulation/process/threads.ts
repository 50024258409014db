/** Work of this process that runs in other threads: nothing in it may be waited for by looking whether anything moves. */
let running = 0;
let waiting: (() => void)[] = [];

export function isThreadBusy(): boolean {
  return running > 0;
}

/** Files are read in threads too, and Node knows of each that is. */
export function areFilesRead(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

export function untilThreadsRest(): Promise<void> {
  return new Promise((resolve) => (isThreadBusy() ? waiting.push(resolve) : resolve()));
}

export function counted<T>(work: Promise<T>): Promise<T> {
  running += 1;
  return work.finally(() => {
    running -= 1;
    if (running > 0) return;
    for (const goOn of waiting) goOn();
    waiting = [];
  });
}

type Work = (...values: unknown[]) => Promise<unknown>;

/** Counts signatures and digests of the Web Crypto API, which run in threads. */
export function countWebCrypto(): void {
  const subtle = globalThis.crypto.subtle as unknown as Record<string, Work>;
  for (const name of [
    'sign',
    'verify',
    'digest',
    'importKey',
    'exportKey',
    'deriveBits',
    'encrypt',
    'decrypt',
  ]) {
    const work = subtle[name]!.bind(subtle);
    Object.defineProperty(subtle, name, { value: (...values: unknown[]) => counted(work(...values)) });
  }
}
