(define (domain basic-domain)
 (:requirements :strips :typing :numeric-fluents)
 (:types location)
 (:predicates 
             (x)
             (done)
 )
 (:functions 
             (danger_zone_count)
 )
 (:action Go
  :parameters ()
  :effect (and (x)))
 (:action visit
  :parameters ( ?l - location)
  :effect (and (x)))
 (:action zap
  :parameters ()
  :effect (and (assign (danger_zone_count) (+ 1 (danger_zone_count)))))
 (:action end
  :parameters ()
  :effect (and (done)))
)
