import { describeStates } from '../testing/describe-states.ts';
import { STATES } from './settings.states.tsx';

describeStates('the settings', STATES);
