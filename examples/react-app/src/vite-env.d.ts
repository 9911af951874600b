interface ImportMetaEnv {
  /** The name of the query parameter of the tree deletion. */
  readonly VITE_TREE_PATH_PARAMETER?: string;
}
