import fc from 'fast-check';

// A counterexample need not be small where nobody reads it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
