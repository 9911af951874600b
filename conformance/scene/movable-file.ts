import type { FileFixture } from '../config/settings.ts';

/** A file of the target that the run may move, and where it was found. */
export interface MovableFile extends FileFixture {
  home: string;
}
