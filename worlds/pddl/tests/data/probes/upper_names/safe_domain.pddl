(define (domain safe-domain)
 (:requirements :strips :typing :equality :numeric-fluents :conditional-effects)
 (:types location)
 (:predicates 
             (x)
             (done)
 )
 (:functions 
             (danger_zone_count)
             (danger)
 )
 (:action Go
  :parameters ()
  :effect (and (x) (when (done) (assign (danger) (+ 1 (danger))))))
 (:action visit
  :parameters ( ?l - location)
  :effect (and (x)))
 (:action zap
  :parameters ()
  :effect (and (assign (danger_zone_count) (+ 1 (danger_zone_count)))))
 (:action end
  :parameters ()
  :effect (and (done) (when (<= 1 (danger_zone_count)) (assign (danger) (+ 1 (danger))))))
)
