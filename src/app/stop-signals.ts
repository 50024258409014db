import { ShutdownSignal } from '@nestjs/common';
import type { Settings } from './settings/settings.js';

/** The signals that end a process in order. SIGHUP means "read anew" where there is a file of keys to read. */
export function stopSignals({ signingKeys }: Settings): ShutdownSignal[] {
  const all = Object.values(ShutdownSignal);
  return signingKeys.file === undefined ? all : all.filter((signal) => signal !== ShutdownSignal.SIGHUP);
}
