import { bodyForms } from './body-forms.ts';
import type { ClientForm } from './form.ts';
import { framingForms } from './framing-forms.ts';
import { headForms } from './head-forms.ts';

/** Everything that a client may send to have one request taken for two, or for another one. */
export const clientForms: readonly ClientForm[] = [...framingForms, ...headForms, ...bodyForms];
