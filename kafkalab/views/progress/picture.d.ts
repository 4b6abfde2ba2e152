// Made from picture.py by frontend/picture_types.py (make frontend): change it there.

/** An exercise, and in words how far the learner is with it. */
export interface Exercise {
  id: string;
  title: string;
  outcome: "right" | "wrong" | "not attempted" | "could not be judged";
  points: number;
  out_of: number;
  words: string;
}

/** A lab of the course, and in words how far the learner is; ``here``: it is the one that shows this. */
export interface Lab {
  number: string;
  title: string;
  notebook: string;
  minutes: number;
  can: string;
  points: number;
  out_of: number;
  words: string;
  here: boolean;
}

/** The picture of ProgressView; ``course``: the labs are its subject, and not this lab's exercises. */
export interface Picture {
  course: boolean;
  exercises: Exercise[];
  labs: Lab[];
  kept: boolean;
  note: string;
}
