/** Nobody outside can see a bug before this has happened; `always` is ordinary use. */
export type ShownBy =
  'always' | 'kill' | 'reorganisation' | 'race' | 'lost connection' | 'lying node' | 'clock';

/** One small change of one source file that breaks a promise of the service. */
export interface PlantedBug {
  readonly name: string;
  /** Under `src/`. */
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
  readonly shows: ShownBy;
  /** Somebody outside sees this, or `verify` does. */
  readonly breaks: string;
}
