// @ts-check
// Sound, vibration, and a screen that stays on. A browser plays sound only after a press, which `wakeSound` is called by.
import { drop, keep, kept } from './store.browser.js';

/** Hertz, and seconds from the beginning and of its length. @typedef {[pitch: number, at: number, length: number]} Tone */
/** @type {Record<string, { tones: Tone[], pulses: number[] }>} */
const SIGNALS = {
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

/** @type {any} */
let audio;
/** @type {any} */
let lock;
let isMuted = false;

export const muted = () => isMuted;

export async function readMuted() {
  isMuted = (await kept('muted')) === true;
}

/** @param {boolean} wish */
export async function setMuted(wish) {
  isMuted = wish;
  await (wish ? keep('muted', true) : drop('muted'));
}

export function wakeSound() {
  const Audio = /** @type {any} */ (window).AudioContext;
  if (Audio === undefined) return;
  audio ??= new Audio();
  audio.resume().catch(() => undefined);
}

/** @param {string} name */
export function signal(name) {
  const { tones, pulses } = /** @type {{ tones: Tone[], pulses: number[] }} */ (SIGNALS[name]);
  navigator.vibrate?.(pulses);
  if (isMuted || audio?.state !== 'running') return;
  for (const [pitch, at, length] of tones) play(pitch, audio.currentTime + at, length);
}

/** @param {number} pitch @param {number} from @param {number} length */
function play(pitch, from, length) {
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  tone.type = 'triangle';
  volume.gain.setValueAtTime(0.6, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length);
  tone.connect(volume).connect(audio.destination);
  tone.start(from);
  tone.stop(from + length);
}

/** @param {boolean} wish */
export async function keepAwake(wish) {
  if (!wish) await lock?.release().catch(() => undefined);
  const wakeLock = /** @type {any} */ (navigator).wakeLock;
  lock = wish && !document.hidden ? await wakeLock?.request('screen').catch(() => undefined) : undefined;
}
