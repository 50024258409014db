export interface QrImage {
  /** `data:` URL of a PNG with one pixel per module. */
  readonly source: string;
  /** Modules per side, including the quiet zone. */
  readonly size: number;
}
