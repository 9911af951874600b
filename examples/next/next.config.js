export default {
  // This folder alone, also inside another repository.
  turbopack: { root: import.meta.dirname },
};
