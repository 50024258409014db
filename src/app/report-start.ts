/** How the start of a process went. */
export interface StartReport {
  readonly isReady: boolean;
  /** Why it could not start, as sentences. */
  readonly failure?: string;
}

/** Tells the program that started this process, where it listens (`stdio: 'ipc'`), so that none has to read a log for it. */
export async function reportStart(report: StartReport): Promise<void> {
  if (process.send === undefined) return;
  await new Promise((resolve) => process.send!(report, resolve));
}
