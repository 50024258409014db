// Sound, vibration and the screen's wake lock. Browsers play sound only after the handler of a press calls
// `unlockSound`.
import type { PaymentSignalName } from './app-state.browser.js';
import { deleteStored, writeStored, readStored } from './store.browser.js';

type Tone = [pitch: number, at: number, length: number];

const SIGNALS: Record<PaymentSignalName, { tones: Tone[]; pulses: number[] }> = {
  paid: {
    tones: [
      [880, 0, 0.15],
      [1175, 0.15, 0.15],
      [1568, 0.3, 0.45],
    ],
    pulses: [200, 100, 400],
  },
  seen: { tones: [[880, 0, 0.15]], pulses: [100] },
  bad: {
    tones: [
      [330, 0, 0.25],
      [220, 0.25, 0.5],
    ],
    pulses: [500, 150, 500],
  },
};

let audio: AudioContext | undefined;
let lock: WakeLockSentinel | undefined;
let isMuted = false;

export const isSoundMuted = () => isMuted;

export async function loadSoundMuted(): Promise<void> {
  isMuted = (await readStored('muted')) === true;
}

export async function setSoundMuted(wish: boolean): Promise<void> {
  isMuted = wish;
  await (wish ? writeStored('muted', true) : deleteStored('muted'));
}

export function unlockSound(): void {
  if (window.AudioContext === undefined) return;
  audio ??= new window.AudioContext();
  audio.resume().catch(() => undefined);
}

export function playSignal(name: PaymentSignalName): void {
  const { tones, pulses } = SIGNALS[name];
  navigator.vibrate?.(pulses);
  if (isMuted || audio?.state !== 'running') return;
  for (const [pitch, at, length] of tones) play(audio, pitch, audio.currentTime + at, length);
}

function play(context: AudioContext, pitch: number, from: number, length: number): void {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = pitch;
  tone.type = 'triangle';
  volume.gain.setValueAtTime(0.6, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length);
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + length);
}

export async function keepAwake(wish: boolean): Promise<void> {
  if (!wish) await lock?.release().catch(() => undefined);
  const isAllowed = wish && !document.hidden;
  lock = isAllowed ? await navigator.wakeLock?.request('screen').catch(() => undefined) : undefined;
}
