import { describeStories } from '../testing/describe-stories.ts';
import { STORIES } from './bulk-edit.stories.tsx';

describeStories('the bulk edit page', STORIES);
